import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { isId } from '../../../values/ids.ts'
import { changeables } from '../operations/changeables.ts'
import type { Operation } from '../operations/read.ts'
import { resources } from '../operations/schema.ts'
import type { CountedCampaign } from './raises.ts'

type Seen = { id: string; name: string; version: number }

/** The objects of a change set as they are before its first operation, by id. */
export type SeenObjects = ReadonlyMap<string, Seen>

const seenSql = (table: string) =>
  `select id, name, version from ${table} where organization_id = $1 and id = any($2)`

const campaignsSql = `
  select id, name, version, status, currency, currency_exponent, daily_budget_minor,
    lifetime_budget_minor, start_at, end_at, time_zone, schedule, daily_cost_minor
  from campaigns where organization_id = $1 and id = any($2)`

/** Read together: one statement for each kind of object. */
export async function seenBy(
  ctx: Context,
  operations: readonly Pick<Operation, 'resource' | 'target'>[],
): Promise<{ seen: SeenObjects; campaigns: readonly CountedCampaign[] }> {
  const idsOf = (resource: Operation['resource']) => [
    ...new Set(
      operations.flatMap(({ target, ...each }) =>
        each.resource === resource && target && isId(changeables[resource].ids, target)
          ? [target]
          : [],
      ),
    ),
  ]
  const read = <Row extends Seen>(sql: string, ids: readonly string[]): Promise<Row[]> =>
    ids.length === 0 ? Promise.resolve([]) : ctx.reader.query<Row>(tenantQuery(ctx, sql, ids))
  const others = resources.filter((resource) => resource !== 'campaign')
  const [campaigns, ...rest] = await Promise.all([
    read<Seen & CountedCampaign>(campaignsSql, idsOf('campaign')),
    ...others.map((resource) => read<Seen>(seenSql(changeables[resource].table), idsOf(resource))),
  ])
  const rows: Seen[] = [...campaigns, ...rest.flat()]
  return { seen: new Map(rows.map((row) => [row.id, row])), campaigns }
}
