import type { ClientSpending } from '../../../database/tables/json-columns.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { firstDayOf, monthIn, monthsAfter } from '../../../values/times.ts'
import { stopScopesIn } from '../../guardrails/rules.ts'
import { guardrailsOf } from '../guardrails/of-organization.ts'
import { excessCredits } from './credits.ts'

const clientsSql = `
  select id, time_zone from clients
  where organization_id = $1 and ($2::text[] is null or id = any($2)
    or id in (select client_id from profiles where organization_id = $1 and id = any($2)))
  order by id`

type Zoned = { id: string; time_zone: string | null }

const daysOfMonth = `campaign_id = m.campaign_id and source = m.source
  and date >= m.month and date < (m.month + interval '1 month')::date`

// From the sums by profile. Days are read one by one only where there are credits.
const countSql = `
  select b.client_id, each.currency, each.minor::bigint as budget_minor,
    coalesce((
      select sum(d.spend_minor + d.adjustment_minor) from profiles f
      join result_days d on d.organization_id = f.organization_id and d.profile_id = f.id
      where f.organization_id = $1 and f.client_id = b.client_id and d.currency = each.currency
        and d.date >= b.month and d.date < (b.month + interval '1 month')::date), 0)::bigint
    + coalesce((
      select sum(${excessCredits(daysOfMonth)}) from profiles f
      join campaigns c on c.organization_id = f.organization_id and c.profile_id = f.id
      join result_months m on m.organization_id = c.organization_id and m.campaign_id = c.id
      where f.organization_id = $1 and f.client_id = b.client_id and c.currency = each.currency
        and m.month = b.month and m.adjustment_minor < 0), 0)::bigint as spent_minor
  from unnest($2::text[], $3::date[]) as asked (client_id, month)
  join client_budgets b on b.organization_id = $1 and b.client_id = asked.client_id
    and b.month = asked.month
  cross join lateral jsonb_each_text(b.amounts) as each (currency, minor)`

type CountedMonth = {
  client_id: string
  currency: string
  budget_minor: number
  spent_minor: number
}

const storeSql = `
  update clients c set month_spending = counted.spending::jsonb
  from unnest($2::text[], $3::text[]) as counted (id, spending)
  where c.organization_id = $1 and c.id = counted.id`

/** Whether the months of clients stop campaigns. */
const stopsByClient = async (ctx: WriteContext): Promise<boolean> =>
  stopScopesIn(await guardrailsOf(ctx)).includes('client')

/**
 * Counts what clients have spent this month beside their budgets, where that stops campaigns. Clients
 * are named by their ids or those of profiles; null: all. Returns the ids of those with a budget.
 */
export async function countClientMonths(
  ctx: WriteContext,
  ids: readonly string[] | null,
): Promise<string[]> {
  if (!(await stopsByClient(ctx))) return []
  const clients = await ctx.reader.query<Zoned>(tenantQuery(ctx, clientsSql, ids))
  if (clients.length === 0) return []
  const months = clients.map(({ time_zone }) => monthIn(zoneIn(ctx, time_zone), ctx.now))
  const columns = [clients.map(({ id }) => id), months.map(firstDayOf)]
  const rows = await ctx.reader.query<CountedMonth>(tenantQuery(ctx, countSql, ...columns))
  const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
  const spending = clients.map(({ id, time_zone }, at) =>
    spendingOf(byClient.get(id) ?? [], endOf(months[at] ?? '', zoneIn(ctx, time_zone))),
  )
  const texts = spending.map((each) => JSON.stringify(each))
  ctx.tx.send(tenantQuery(ctx, storeSql, columns[0], texts))
  return [...byClient.keys()]
}

const zoneIn = ({ organization }: WriteContext, timeZone: string | null): string =>
  timeZone ?? organization.timeZone

/** When a month ends. */
const endOf = (month: string, timeZone: string): string =>
  Temporal.PlainDate.from(firstDayOf(monthsAfter(month, 1)))
    .toZonedDateTime(timeZone)
    .toInstant()
    .toString({ smallestUnit: 'millisecond' })

const spendingOf = (rows: readonly CountedMonth[], until: string): ClientSpending => ({
  until,
  currencies: Object.fromEntries(
    rows.map(({ currency, budget_minor, spent_minor }) => [
      currency,
      { budget_minor, spent_minor },
    ]),
  ),
})
