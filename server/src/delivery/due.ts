import type { Reader } from '../database/database.ts'
import type { PreviousSecret } from '../database/tables/json-columns.ts'
import { readEither } from '../database/upkeep/citus/instead.ts'

/** An endpoint's organization and id. */
export type EndpointKey = { readonly organizationId: string; readonly endpointId: string }

/** The columns of an endpoint that its worker needs. */
export type Endpoint = {
  id: string
  url: string
  status: string
  secret_sealed: string
  previous_secrets: PreviousSecret[]
  consecutive_failures: number
  failing_since: string | null
  paused_until: string | null
  /** How far the organization's clock is ahead of real time. */
  clock_ahead_ms: number
}

export type DueDelivery = {
  id: string
  event_id: string
  trigger: string
  attempt_count: number
  retry_count: number
  next_attempt_at: string
  /** Null when the event is past its retention. */
  body: string | null
}

const endpointSql = `
  select id, url, status, secret_sealed, previous_secrets,
    consecutive_failures, failing_since, paused_until,
    (select clock_ahead_ms from organizations where id = $1) as clock_ahead_ms
  from webhook_endpoints
  where organization_id = $1 and id = $2`

/** The real time $3 as the organization's own. */
const ownTime = `($3::timestamptz
      + (select clock_ahead_ms from organizations where id = $1) * interval '1 millisecond')`

const byHand = `d.trigger in ('test', 'manual')`

const dueWhere = (condition: string) => `
  select d.id, d.event_id, d.trigger, d.attempt_count, d.retry_count, d.next_attempt_at,
    coalesce(d.body, e.body) as body
  from (
    select * from webhook_deliveries d
    where d.organization_id = $1 and d.endpoint_id = $2 and d.status = 'pending'
      and d.next_attempt_at <= ${ownTime} and ${condition}
    order by d.next_attempt_at, d.id limit $4) d
  left join lateral (
    select body from events
    where organization_id = $1 and id between d.event_id and d.event_id
    order by id limit 1) e on true
  order by d.next_attempt_at, d.id`

const byHandSql = dueWhere(byHand)
/** Reads nothing for a disabled or paused endpoint, which may have a large backlog. */
const dueSql = dueWhere(`d.trigger in ('auto', 'recover') and exists (
    select from webhook_endpoints e where e.organization_id = $1 and e.id = $2
      and e.status = 'enabled' and (e.paused_until is null or e.paused_until <= ${ownTime}))`)

export type Due = { endpoint: Endpoint | undefined; due: DueDelivery[] }

type DueQuery = { now: string; limit: number; isByHand: boolean }

/**
 * The endpoint and what is due for it at the real time `now`: first what was requested by hand, then
 * the oldest, unless `isByHand`.
 */
export async function readDue(
  reader: Reader,
  { organizationId, endpointId }: EndpointKey,
  { now, limit, isByHand }: DueQuery,
): Promise<Due> {
  const key = [organizationId, endpointId]
  const parameters = [...key, now, limit]
  const [[endpoint], requested, due] = await Promise.all([
    reader.query<Endpoint>({ sql: endpointSql, parameters: key }),
    reader.query<DueDelivery>({ sql: byHandSql, parameters }),
    isByHand ? [] : reader.query<DueDelivery>({ sql: dueSql, parameters, byIndex: true }),
  ])
  return { endpoint, due: [...requested, ...due] }
}

const isOpenAt = (now: string) =>
  `(e.status = 'enabled' and (e.paused_until is null or e.paused_until <= ${now}))`

/**
 * Endpoints that have something due. Each half has its own index, so the backlog of a disabled or
 * paused endpoint is not scanned. With `exists` the planner would scan everything due, of all
 * organizations, whenever it estimates that to be little.
 */
const dueTo = (endpoints: string, now: string, which = 'true') => {
  const having = (condition: string) => `
    select e.organization_id as "organizationId", e.id as "endpointId"
    from ${endpoints}
    cross join lateral (
      select from webhook_deliveries d
      where d.organization_id = e.organization_id and d.endpoint_id = e.id
        and d.status = 'pending' and d.next_attempt_at <= ${now} and ${condition}
      order by d.next_attempt_at, d.id limit 1) d
    where ${which}`
  return `${having('true')} and ${isOpenAt(now)} union ${having(byHand)} limit $2`
}

const groupedDue = (condition: string) => `
  select d.organization_id as "organizationId", d.endpoint_id as "endpointId"
  from (
    select d.organization_id, d.endpoint_id, bool_or(${byHand}) as by_hand
    from webhook_deliveries d
    where d.status = 'pending' and d.next_attempt_at <= $1 and ${condition}
    group by d.organization_id, d.endpoint_id) d
  join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
    and (${isOpenAt('$1')} or d.by_hand)`

/** Endpoints with something that became due in (since, now], or whose pause ended then. */
const newlyDueSql = `
  ${groupedDue('d.next_attempt_at > $2')}
  union
  select organization_id, id from webhook_endpoints
  where paused_until <= $1 and paused_until > $2
  limit $3`

/**
 * All endpoints with something due, such as what a killed process left. A loose index scan: its cost
 * depends only on how many endpoints have pending deliveries, not on how many deliveries these are.
 */
const allDueSql = `
  with recursive waiting as (
    (select organization_id, endpoint_id from webhook_deliveries
      where status = 'pending' order by endpoint_id limit 1)
    union all
    select following.* from waiting cross join lateral (
      select organization_id, endpoint_id from webhook_deliveries
      where status = 'pending' and endpoint_id > waiting.endpoint_id
      order by endpoint_id limit 1) following),
  awaiting as (
    select e.* from waiting w
    join webhook_endpoints e on e.organization_id = w.organization_id and e.id = w.endpoint_id)
  ${dueTo('awaiting e', '$1')}`

/**
 * The same on Citus, which has no recursion over shards: each shard groups its pending deliveries, so
 * that the cost depends on how many these are.
 */
const allDueOnCitusSql = `${groupedDue('true')} limit $2`

/** The same for organizations whose clock is ahead. */
const dueAheadSql = dueTo(
  'organizations o join webhook_endpoints e on e.organization_id = o.id',
  `($1::timestamptz + o.clock_ahead_ms * interval '1 millisecond')`,
  'o.clock_ahead_ms > 0',
)

const maxFound = 1_000

/** Endpoints of all organizations with something due: newly since a time, or (`since` null) at all. */
export async function findDue(
  reader: Reader,
  now: string,
  since: string | null,
): Promise<EndpointKey[]> {
  const here =
    since === null
      ? readEither<EndpointKey>(reader, {
          sql: allDueSql,
          onCitus: allDueOnCitusSql,
          parameters: [now, maxFound],
          ofAll: true,
        })
      : reader.query<EndpointKey>({
          sql: newlyDueSql,
          parameters: [now, since, maxFound],
          ofAll: true,
        })
  const ahead = reader.query<EndpointKey>({
    sql: dueAheadSql,
    parameters: [now, maxFound],
    ofAll: true,
  })
  const found = await Promise.all([here, ahead])
  return found.flat()
}
