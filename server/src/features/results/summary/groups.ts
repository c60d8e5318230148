/** The statements that sum up results by group and currency. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Condition } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import type { Range } from '../calendar.ts'
import { columnsBy, type Groupings, idOf, isBy, type Keys } from './groupings.ts'
import type { SumsOrNone } from './metrics.ts'
import { rowsFor } from './reported.ts'

type Sql = RawBuilder<unknown>

/** Minor units by the id of the group; nothing of groups whose campaigns do not run. */
export type PlannedByGroup = ReadonlyMap<string, number>

export type Planned = {
  readonly groups: PlannedByGroup
  /** By currency. */
  readonly totals: PlannedByGroup
  readonly currencies: readonly string[]
}

/** The rows to sum up, and how. */
export type Selection = {
  readonly by: Groupings
  readonly range: Range
  readonly filters: Received
  readonly conditions: readonly Condition[]
  /** Moves days, to compare them with later ones. */
  readonly interval?: string
  /** The plan, if it is asked for. */
  readonly planned?: Planned
}

/** The sums of one group in one currency; without figures for a day that nothing was reported of. */
export type GroupRow = Keys & SumsOrNone & { readonly id: string }

export const all = (conditions: readonly Condition[]): Sql =>
  sql.join([sql`true`, ...conditions], sql` and `)

const sums = sql`
  sum(spend_minor)::bigint as spend_minor,
  sum(adjustment_minor)::bigint as adjustment_minor,
  sum(impressions)::bigint as impressions,
  sum(clicks)::bigint as clicks,
  sum(conversions_millionths)::bigint as conversions_millionths,
  sum(conversion_value_minor)::bigint as conversion_value_minor,
  bool_and(is_final) as is_final`

/** A row for each group and currency that something was reported of. */
async function reportedGroups(ctx: Context, selection: Selection): Promise<Sql> {
  const columns = columnsBy(selection.by, selection.interval)
  return sql`
    select ${sql.join(columns)}, currency, ${sums}
    from (${await rowsFor(ctx, selection)}) as reported
    where ${all(selection.conditions)}
    group by ${sql.join(columns.map((_, at) => sql.lit(2 * at + 1)))}, currency`
}

/** A row for each group and currency; with days, also for each day that a group has nothing of. */
export async function groupsIn(ctx: Context, selection: Selection): Promise<Sql> {
  const reported = await reportedGroups(ctx, selection)
  const isFilled = isBy(selection.by, 'day') && selection.interval === undefined
  const rows = isFilled ? withEachDay(reported, selection) : reported
  return sql`select found.*, ${idOf(selection.by)} as id from (${rows}) as found`
}

function withEachDay(reported: Sql, { by, range, filters, planned }: Selection): Sql {
  const at = by[0] === 'day' ? 1 : 2
  const day = sql.ref(`key_${at}`)
  const others = by[1] === undefined ? [] : [`key_${3 - at}`, `name_${3 - at}`]
  const keys = sql.join([...others, 'currency'].map((name) => sql.ref(name)))
  const [other] = others.map((name) => sql.ref(name))
  const isSame = other ? sql`had.${other} is not distinct from each.${other}` : sql`true`
  const certain = [...currenciesIn(filters), ...(planned?.currencies ?? [])]
  const series = other
    ? sql`select distinct ${keys} from had`
    : sql`select currency from had union select unnest(${certain}::text[])`
  return sql`
    with had as materialized (${reported})
    select each.*, on_day as ${day}, null::text as ${sql.ref(`name_${at}`)},
      spend_minor, adjustment_minor, impressions, clicks, conversions_millionths,
      conversion_value_minor, is_final
    from (${series}) as each
    cross join (select day::date::text as on_day
      from generate_series(${range.from}::date, ${range.to}::date - 1, interval '1 day') as day) as days
    left join had on had.currency = each.currency and had.${day} = on_day and ${isSame}`
}

/** The currencies that a filter names have their days even if nothing was reported in them. */
const currenciesIn = ({ currency = [] }: Received): string[] =>
  [currency].flat().flatMap((each) => each.split(',').map((code) => code.trim()))
