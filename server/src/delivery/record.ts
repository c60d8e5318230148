import type { Database } from '../database/database.ts'
import { lockEndpointSql } from '../kernel/outbox.ts'
import type { EndpointKey } from './due.ts'
import type { SendOutcome } from './sending/send.ts'

/** The result of one attempt for its delivery. */
export type Result = {
  deliveryId: string
  number: number
  trigger: string
  /** As it was read; differs from the row's if the delivery was requested again since. */
  dueAt: string
  /** How far the organization's clock was ahead when these times were taken. */
  aheadMs: number
  requestHeaders: Record<string, string>
  outcome: SendOutcome
  status: 'pending' | 'succeeded' | 'failed'
  retryCount: number
  nextAttemptAt: string | null
}

/** The endpoint's health after these attempts. */
export type Health = {
  lastSuccessAt: string | null
  lastFailureAt: string | null
  consecutiveFailures: number
  failingSince: string | null
  pausedUntil: string | null
}

/** As an array, so that the index is used whatever the planner's row estimate. */
const idsOfBatch = `any(array(
    select delivery_id from jsonb_to_recordset($2::jsonb) as each(delivery_id text)))`

const attemptsSql = `
  insert into webhook_attempts (organization_id, delivery_id, number, trigger, started_at,
    duration_ms, address, request_headers, response_status, response_headers, response_body, error)
  select $1, t.* from jsonb_to_recordset($2::jsonb) as t(delivery_id text, number integer,
    trigger text, started_at timestamptz, duration_ms integer, address text, request_headers jsonb,
    response_status smallint, response_headers jsonb, response_body text, error jsonb)
  -- Skips deliveries deleted with their endpoint; on conflict, those recorded by a later worker.
  join webhook_deliveries d on d.organization_id = $1 and d.id = ${idsOfBatch}
    and d.id = t.delivery_id
  on conflict do nothing`

/** Requested again while the attempt was in flight: it is sent once more. */
const manualRequest = `(d.status = 'pending'
      and (d.next_attempt_at is distinct from t.due_at or d.trigger <> t.trigger))`

/** How far the organization's clock is ahead now; resetting a sandbox sets it back. */
const organizationNow = '(select clock_ahead_ms from organizations where id = $1)'

const nextAttemptAt = `next_attempt_at
      - greatest(0, ahead_ms - ${organizationNow}) * interval '1 millisecond'`

const unlessManualRequest = (column: string, value = column) =>
  `${column} = case when ${manualRequest} then d.${column} else t.${value} end`

const deliveriesSql = `
  update webhook_deliveries d
  set attempt_count = t.number, last_error = t.last_error,
    last_response_status = t.response_status, updated_at = $3,
    ${['status', 'trigger', 'retry_count'].map((column) => unlessManualRequest(column))},
    ${unlessManualRequest('next_attempt_at', 'attempt_at')}
  -- A time is not computed within a case: Citus refuses that.
  from (select *, ${nextAttemptAt} as attempt_at
    from jsonb_to_recordset($2::jsonb) as each(delivery_id text, number integer, trigger text,
      due_at timestamptz, status text, retry_count integer, next_attempt_at timestamptz,
      last_error text, response_status smallint, ahead_ms bigint)) t
  where d.organization_id = $1 and d.id = ${idsOfBatch} and d.id = t.delivery_id
    -- If it was skipped since because the endpoint was disabled, it stays so unless it succeeded.
    and (d.status = 'pending' or t.status = 'succeeded')`

/** Otherwise the clock was set back by a reset, and `paused_until` would be far ahead. */
const isClockAt = (aheadMs: string) =>
  `(${aheadMs}::bigint = 0 or ${aheadMs} <= ${organizationNow})`

// Skipped if the URL has changed: the health is that of another receiver.
const endpointSql = `
  update webhook_endpoints
  set last_success_at = greatest(last_success_at, $3), last_failure_at = greatest(last_failure_at, $4),
    consecutive_failures = $5, failing_since = $6, paused_until = $7
  where organization_id = $1 and id = $2 and ${isClockAt('$8')} and url = $9`

const pauseSql = `
  update webhook_endpoints set paused_until = greatest(paused_until, $3)
  where organization_id = $1 and id = $2 and ${isClockAt('$4')}`

type RecordedBatch = {
  key: EndpointKey
  results: readonly Result[]
  health: Health
  /** The endpoint's, when `health` was taken. */
  url: string
  now: string
  /** How far the organization's clock was ahead when `health` was taken. */
  aheadMs: number
}

/** Records attempts, their deliveries and the endpoint's health in one transaction. */
export async function recordResults(
  database: Database,
  { key, results, health, url, now, aheadMs }: RecordedBatch,
): Promise<void> {
  const rows = JSON.stringify(results.map(rowOf))
  await database.transaction(async (tx) => {
    const endpoint = [key.organizationId, key.endpointId]
    // Serializes with a sandbox reset too, so that the statements below see the clock it leaves.
    tx.send({ sql: lockEndpointSql, parameters: endpoint })
    tx.send({ sql: endpointSql, parameters: [...endpoint, ...healthAfter(health), aheadMs, url] })
    tx.send({ sql: attemptsSql, parameters: [key.organizationId, rows] })
    tx.send({ sql: deliveriesSql, parameters: [key.organizationId, rows, now] })
  })
}

type Pause = { key: EndpointKey; until: string; aheadMs: number }

/** Keeps every process from sending to an endpoint until then. */
export const pauseEndpoint = (database: Database, { key, until, aheadMs }: Pause): Promise<void> =>
  database.transaction(async (tx) => {
    const parameters = [key.organizationId, key.endpointId, until, aheadMs]
    tx.send({ sql: pauseSql, parameters })
  })

const rowOf = ({ outcome, ...result }: Result) => ({
  delivery_id: result.deliveryId,
  number: result.number,
  trigger: result.trigger,
  due_at: result.dueAt,
  ahead_ms: result.aheadMs,
  started_at: outcome.started_at,
  duration_ms: outcome.duration_ms,
  address: outcome.address,
  request_headers: result.requestHeaders,
  response_status: outcome.response_status,
  response_headers: outcome.response_headers,
  response_body: outcome.response_body,
  error: outcome.error,
  status: result.status,
  retry_count: result.retryCount,
  next_attempt_at: result.nextAttemptAt,
  last_error: outcome.error?.message ?? null,
})

const healthAfter = (health: Health) => [
  health.lastSuccessAt,
  health.lastFailureAt,
  health.consecutiveFailures,
  health.failingSince,
  health.pausedUntil,
]

const skipSql = `
  update webhook_deliveries
  set status = case when event_sequence is null then 'cancelled' else 'skipped' end,
    next_attempt_at = null, updated_at = $3
  where organization_id = $1 and id in (
    select id from webhook_deliveries
    where organization_id = $1 and endpoint_id = $2 and status = 'pending'
      and trigger not in ('test', 'manual')
    limit 10000)`

/** Marks a disabled endpoint's pending deliveries as skipped, up to 10,000 at a time. */
export const skipPending = (
  database: Database,
  { organizationId, endpointId }: EndpointKey,
  now: string,
): Promise<void> =>
  database.transaction(async (tx) => {
    tx.send({ sql: lockEndpointSql, parameters: [organizationId, endpointId] })
    tx.send({ sql: skipSql, parameters: [organizationId, endpointId, now] })
  })
