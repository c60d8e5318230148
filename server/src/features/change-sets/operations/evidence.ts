import { type Context, nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { dayIn, daysAfter, type Range } from '../../results/calendar.ts'
import { shownFigures } from '../../results/summary/metrics.ts'
import type { OperationRow } from './rows.ts'
import type { ChangeSetOperation } from './schema.ts'

type Beside = Pick<ChangeSetOperation, 'client' | 'evidence'>

const days = 7

// The day of each campaign is known to the service alone: some days more are read on both sides.
const besideSql = `
  select c.id, p.client, c.time_zone, c.currency_exponent as exponent, r.date, r.spend_minor,
    r.conversions_millionths, r.conversion_value_minor
  from campaigns c
  join profile_details p on p.organization_id = c.organization_id and p.id = c.profile_id
  left join lateral (
    select date, sum(spend_minor)::bigint as spend_minor,
      sum(conversions_millionths)::bigint as conversions_millionths,
      sum(conversion_value_minor)::bigint as conversion_value_minor
    from results
    where organization_id = $1 and campaign_id = c.id and date >= $3::date and date < $4::date
    group by date
    offset 0
  ) as r on true
  where c.organization_id = $1 and c.id = any($2)
  union all
  select id, client, null, null, null, null, null, null from profile_details
  where organization_id = $1 and id = any($2)`

type Day = {
  id: string
  client: string | null
  time_zone: string | null
  exponent: number | null
  date: string | null
  spend_minor: number | null
  conversions_millionths: number | null
  conversion_value_minor: number | null
}

/** The profile of each operation, and the latest results of its campaign; one statement. */
export async function besideOperations(
  ctx: Context,
  rows: readonly OperationRow[],
): Promise<(row: OperationRow) => Beside> {
  const ids = [...new Set(rows.flatMap((row) => row.object_id ?? profileIn(row) ?? []))]
  const now = nowIn(ctx)
  const around = daysAfter(dayIn(now)('UTC'), -days - 2)
  const statement = tenantQuery(ctx, besideSql, ids, around, daysAfter(around, days + 4))
  const found = ids.length === 0 ? [] : await ctx.reader.query<Day>(statement)
  const byId = Map.groupBy(found, ({ id }) => id)
  const today = dayIn(now)
  return (row) => {
    const ofObject = byId.get(row.object_id ?? '') ?? []
    return {
      client: ofObject[0]?.client ?? clientOfNew(row, { rows, byId }),
      evidence: evidenceOf(ofObject, today),
    }
  }
}

const after = ({ changes }: OperationRow, field: string): string | null => {
  const value = changes.find((change) => change.field === field)?.after
  return typeof value === 'string' ? value : null
}

const profileIn = (row: OperationRow) => after(row, 'profile_id')

type StoredEvidence = { rows: readonly OperationRow[]; byId: ReadonlyMap<string, readonly Day[]> }

/** A new profile says it itself; of a new campaign it is its profile's, also of one made with it. */
function clientOfNew(row: OperationRow, { rows, byId }: StoredEvidence): string | null {
  const profile = profileIn(row)
  if (profile === null) return after(row, 'client')
  const made = rows.find(({ ref }) => ref !== null && `@${ref}` === profile)
  return made ? after(made, 'client') : (byId.get(profile)?.[0]?.client ?? null)
}

/** Over the last complete days of the campaign's time zone; null where nothing was reported of them. */
function evidenceOf(
  found: readonly Day[],
  today: (timeZone: string) => string,
): ChangeSetOperation['evidence'] {
  const [first] = found
  if (!first?.time_zone) return null
  const to = today(first.time_zone)
  const window = { from: daysAfter(to, -days), to }
  const own = found.filter((day) => isWithin(day, window))
  if (own.length === 0) return null
  const sums = {
    spend_minor: sumOf(own, 'spend_minor') ?? 0,
    conversions_millionths: sumOf(own, 'conversions_millionths'),
    conversion_value_minor: sumOf(own, 'conversion_value_minor'),
  }
  const none = { adjustment_minor: 0, impressions: null, clicks: null }
  const { conversions, cpa, roas } = shownFigures({ ...sums, ...none }, first.exponent ?? 2)
  return { spend_minor: sums.spend_minor, conversions, cpa, roas, window }
}

const isWithin = ({ date }: Day, { from, to }: Range) => date !== null && date >= from && date < to

type Figure = 'spend_minor' | 'conversions_millionths' | 'conversion_value_minor'

/** Null where no day has it. */
const sumOf = (found: readonly Day[], figure: Figure): number | null =>
  found.reduce<number | null>((sum, day) => {
    const value = day[figure]
    return value === null ? sum : (sum ?? 0) + value
  }, null)
