/** Reads what is scheduled for the campaigns of a report. */

import type { SpendDelta } from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { exponentFor } from '../../../values/money.ts'
import { dailyCost } from '../../campaigns/guardrails/daily-cost.ts'
import { dayIn } from '../../results/calendar.ts'
import type { DailyAmount, ReportScheduled } from './schema.ts'
import type { Subject } from './subject.ts'

const maxScheduled = 20

// A change set that concerns others, too, may name them.
const changeSetsSql = `
  select s.title, s.apply_at as at, s.spend_delta, s.operation_count from change_sets s
  where s.organization_id = $1 and s.status = 'scheduled' and s.apply_at > $2 and not exists (
    select from change_set_operations o
    where o.organization_id = $1 and o.change_set_id = s.id
      and (o.object_id = any($3)) is not true)
  order by s.apply_at limit ${maxScheduled}`

type SetRow = { title: string; at: string; spend_delta: SpendDelta[]; operation_count: number }

type CampaignRow = Pick<
  Row<'campaigns'>,
  | ('name' | 'currency' | 'status' | 'daily_budget_minor' | 'lifetime_budget_minor')
  | ('start_at' | 'end_at' | 'time_zone' | 'schedule')
> & { at: string }

const columns = `name, currency, status, daily_budget_minor, lifetime_budget_minor, start_at, end_at,
  time_zone, schedule`

const startsSql = `
  select ${columns}, start_at as at from campaigns
  where organization_id = $1 and id = any($3) and status = 'scheduled' and start_at > $2
  order by start_at limit ${maxScheduled}`

const endsSql = `
  select ${columns}, end_at as at from campaigns
  where organization_id = $1 and id = any($3) and status in ('scheduled', 'active', 'paused')
    and end_at > $2
  order by end_at limit ${maxScheduled}`

export async function scheduledFor(
  ctx: Context,
  { now, timeZone }: Subject,
  campaignIds: readonly string[],
): Promise<ReportScheduled[]> {
  const read = <Found>(sql: string) =>
    ctx.reader.query<Found>(tenantQuery(ctx, sql, now, campaignIds))
  const [sets, starts, ends] = await Promise.all([
    read<SetRow>(changeSetsSql),
    read<CampaignRow>(startsSql),
    read<CampaignRow>(endsSql),
  ])
  const all = [
    ...sets.map((set) => ({ ...setOf(set), at: set.at })),
    ...starts.map((row) => ({ ...campaignOf(row, 'start'), at: row.at })),
    ...ends.map((row) => ({ ...campaignOf(row, 'end'), at: row.at })),
  ]
  return all
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(0, maxScheduled)
    .map((each) => ({ ...each, day: dayIn(each.at)(timeZone) }))
}

const setOf = ({ title, spend_delta, operation_count }: SetRow) => ({
  what: 'change_set' as const,
  name: title,
  campaigns: operation_count,
  amounts: spend_delta
    .map(({ currency, daily_before_minor, daily_after_minor }) =>
      amount(currency, daily_before_minor, daily_after_minor),
    )
    .filter(({ added_minor }) => added_minor !== 0),
})

function campaignOf(row: CampaignRow, what: 'start' | 'end') {
  const daily = dailyCost(row, row.start_at ?? row.at)
  const [before, after] = what === 'start' ? [0, daily] : [daily, 0]
  const amounts = row.status === 'paused' ? [] : [amount(row.currency, before, after)]
  return { what, name: row.name, campaigns: 1, amounts }
}

const amount = (currency: string, before_minor: number, after_minor: number): DailyAmount => ({
  currency,
  currency_exponent: exponentFor(currency),
  before_minor,
  after_minor,
  added_minor: after_minor - before_minor,
})
