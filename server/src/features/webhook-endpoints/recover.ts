import { audited } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { lockEndpointSql } from '../../kernel/outbox.ts'
import { oneInVersion } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { checkFaults, conflict } from '../../problems/problem.ts'
import { readTime } from '../../values/times.ts'
import { maxBatch, type Recovered, type Recovery } from './delivery-schema.ts'
import { wake } from './wake.ts'

/** Resends the deliveries an endpoint missed while it was failing or disabled. */
export async function recover(ctx: Context, id: string, body: Recovery): Promise<Recovered> {
  const recovered = await inTransaction(ctx, async (ctx) => {
    const endpoint = await oneInVersion(ctx, 'webhook_endpoints', id)
    const { window, faults } = readWindow(body, ctx.now)
    checkFaults(ctx, faults)
    if (endpoint.status === 'disabled') throw isDisabled()
    const resource = { type: 'webhook_endpoint', id, name: null }
    const entry = { action: 'webhook_endpoint.recovered', resource }
    return audited(ctx, entry, (ctx) => sendMissed(ctx, id, window))
  })
  wake(ctx, id)
  return recovered
}

const isDisabled = () =>
  conflict('invalid_state_transition', 'The endpoint is disabled: enable it first.', {
    current_status: 'disabled',
    action: 'recover',
    allowed_actions: ['enable', 'rotate_secret', 'test'],
  })

/** [since, until) */
type Window = { since: string; until: string }

/** Allows for clock skew: a future `until` counts as now, and an old `since` as the oldest kept. */
function readWindow(body: Recovery, now: string): { window: Window; faults: Fault[] } {
  const faults: Fault[] = []
  const read = (text: string, pointer: string): string => {
    const found = readTime(text, pointer)
    if ('time' in found) return found.time
    faults.push(found.fault)
    return now
  }
  const { since: from = now, until: to } = body
  const window = { since: read(from, '/since'), until: read(to ?? now, '/until') }
  if (to && faults.length === 0 && window.since >= window.until) {
    faults.push(fault('/until', 'end_before_start', 'must be after since', { given: window.until }))
  }
  return { window, faults }
}

// Events are purged by age, so every event after the oldest one is stored.
const recoverSql = `
  with recovered as (
    update webhook_deliveries
    set status = 'pending', trigger = 'recover', retry_count = 0, next_attempt_at = $5,
      updated_at = $5
    where organization_id = $1 and id = any(array(
      select id from webhook_deliveries
      where organization_id = $1 and endpoint_id = $2 and created_at >= $3 and created_at < $4
        and status in ('failed', 'skipped')
        and event_sequence >= (select min(sequence) from events where organization_id = $1)
      order by created_at, id limit $6 for update))
    returning 1
  )
  select count(*) as recovered from recovered`

async function sendMissed(
  ctx: WriteContext,
  id: string,
  { since, until }: Window,
): Promise<Recovered> {
  ctx.tx.send(tenantQuery(ctx, lockEndpointSql, id))
  const statement = tenantQuery(ctx, recoverSql, id, since, until, ctx.now, maxBatch)
  const [count] = await ctx.tx.write<{ recovered: number }>(statement)
  const recovered = count?.recovered ?? 0
  return { recovered, has_more: recovered === maxBatch }
}
