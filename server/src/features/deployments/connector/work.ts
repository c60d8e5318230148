import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Query } from '../../../query/list.ts'
import { managedIn } from '../desired.ts'
import type { DeploymentRow } from '../present.ts'
import { heldLease } from './lease.ts'
import type { WorkItem } from './schema.ts'

// Work that stops spending comes first.
const workSql = `
  select d.* from deployments d
  join connections c on c.organization_id = d.organization_id and c.id = d.profile_id
  where d.organization_id = $1 and c.lease_id = $2 and c.fence = $3 and c.error is null
    and d.work_at <= $4
  order by d.desired ->> 'run' = 'enabled', d.work_at, d.id
  limit $5`

/** The work in the accounts of the lease, or that which comes up while the caller waits. */
export async function workFor(ctx: Context, query: Query): Promise<{ data: WorkItem[] }> {
  const lease_id = String(query.lease_id)
  const fence = Number(query.fence)
  const limit = Number(query.limit ?? 25)
  await heldLease(ctx, { lease_id, fence })
  const look = () =>
    ctx.reader.query<DeploymentRow>(tenantQuery(ctx, workSql, lease_id, fence, nowIn(ctx), limit))
  const untilMs = performance.now() + Number(query.wait_seconds ?? 0) * 1_000
  let found = await look()
  while (found.length === 0 && performance.now() < untilMs) {
    await changeOrPause(ctx, Math.min(untilMs - performance.now(), lookEveryMs))
    found = await look()
  }
  if (found.length === 0) await heldLease(ctx, { lease_id, fence })
  return { data: found.map(itemOf) }
}

/** Work that becomes due by the clock, or through another process, is found by looking. */
const lookEveryMs = 5_000
/** Changes come in bursts: one look for all of them. */
const gatherMs = 20

/** Waits until the organization changes something, or the time is over. */
async function changeOrPause(ctx: Context, ms: number): Promise<void> {
  const over = new AbortController()
  const wake = () => over.abort()
  const unsubscribe = ctx.services.signals.subscribe(({ organizationId }) => {
    if (organizationId === ctx.organization.id) wake()
  }, wake)
  await sleep(ms, undefined, { signal: over.signal }).catch(() => sleep(gatherMs))
  unsubscribe()
}

const itemOf = (row: DeploymentRow): WorkItem => ({
  deployment_id: row.id,
  campaign_id: row.campaign_id,
  profile_id: row.profile_id,
  generation: row.generation,
  desired: row.desired,
  observed: row.observed,
  mode: row.mode,
  network_object_id: row.network_object_id,
  marker: `fd:${row.campaign_id.slice(-26)}`,
  settings: row.settings,
  managed_fields: managedIn(row.managed_fields, row.coverage),
  why: whyOf(row),
  intent: row.intent,
})

function whyOf({ requested, error, state }: DeploymentRow): WorkItem['why'] {
  if (requested === 'remove' || requested === 'check') return requested
  if (requested === 'retry' || error !== null) return 'retry'
  return state === 'drifted' || requested === 'overwrite' ? 'drift' : 'changed'
}
