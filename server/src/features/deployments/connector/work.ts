import { pause } from '../../../concurrency/wait.ts'
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
  const found = await waitingFor(ctx, lease_id, {
    look,
    untilMs: performance.now() + Number(query.wait_seconds ?? 0) * 1_000,
  })
  if (found.length === 0) await heldLease(ctx, { lease_id, fence })
  return { data: found.map(itemOf) }
}

/** By lease: a caller that asks again has given up the former request. */
const waits = new Map<string, AbortController>()

type Waiting<Found> = { look: () => Promise<Found[]>; untilMs: number }

async function waitingFor<Found>(
  ctx: Context,
  leaseId: string,
  { look, untilMs }: Waiting<Found>,
): Promise<Found[]> {
  const own = new AbortController()
  waits.get(leaseId)?.abort()
  waits.set(leaseId, own)
  const over = AbortSignal.any([own.signal, ctx.services.observability.readiness.stopping])
  try {
    let found = await look()
    while (found.length === 0 && performance.now() < untilMs && !over.aborted) {
      await changeOrPause(ctx, Math.min(untilMs - performance.now(), lookEveryMs), over)
      found = await look()
    }
    return found
  } finally {
    if (waits.get(leaseId) === own) waits.delete(leaseId)
  }
}

/** Work that becomes due by the clock, or through another process, is found by looking. */
const lookEveryMs = 5_000
/** Changes come in bursts: one look for all of them. */
const gatherMs = 20

/** Waits until the organization changes something, the time is over, or no one is to wait any more. */
async function changeOrPause(ctx: Context, ms: number, over: AbortSignal): Promise<void> {
  const changed = new AbortController()
  const wake = () => changed.abort()
  const unsubscribe = ctx.services.signals.subscribe(({ organizationId }) => {
    if (organizationId === ctx.organization.id) wake()
  }, wake)
  await pause(ms, AbortSignal.any([changed.signal, over]))
  unsubscribe()
  if (!over.aborted && changed.signal.aborted) await pause(gatherMs, over)
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
