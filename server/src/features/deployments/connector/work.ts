import { pause } from '../../../concurrency/wait.ts'
import type { Context } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Query } from '../../../query/list.ts'
import type { DeploymentRow } from '../present.ts'
import { openChecks } from './checks.ts'
import { held, heldLease } from './lease.ts'
import type { WorkReply } from './schema.ts'
import { itemOf } from './work-item.ts'

// Work that stops spending comes first.
const workSql = `
  select d.* from deployments d
  join connections c on c.organization_id = d.organization_id and c.id = d.profile_id
  where d.organization_id = $1 and c.lease_id = $2 and c.fence = $3 and c.error is null
    and d.work_at <= $4
  order by d.desired ->> 'run' = 'enabled', d.work_at, d.id
  limit $5`

/** The work in the accounts of the lease, or that which comes up while the caller waits. */
export async function workFor(ctx: Context, query: Query): Promise<WorkReply> {
  const lease_id = String(query.lease_id)
  const fence = Number(query.fence)
  const limit = Number(query.limit ?? 25)
  const holding = await held(ctx, { lease_id, fence })
  const look = async (): Promise<WorkReply> => {
    const statement = tenantQuery(ctx, workSql, lease_id, fence, nowIn(ctx), limit)
    const data = (await ctx.reader.query<DeploymentRow>(statement)).map(itemOf)
    if (data.length > 0 || query.checks !== 'true') return { data, checks: [] }
    return { data, checks: await openChecks(ctx, holding, limit) }
  }
  const found = await waitingFor(ctx, lease_id, {
    look,
    untilMs: performance.now() + Number(query.wait_seconds ?? 0) * 1_000,
  })
  if (isEmpty(found)) await heldLease(ctx, { lease_id, fence })
  return found
}

const isEmpty = ({ data, checks }: WorkReply) => data.length + checks.length === 0

/** By lease: a caller that asks again has given up the former request. */
const waits = new Map<string, AbortController>()

type Waiting = { look: () => Promise<WorkReply>; untilMs: number }

async function waitingFor(
  ctx: Context,
  leaseId: string,
  { look, untilMs }: Waiting,
): Promise<WorkReply> {
  const own = new AbortController()
  waits.get(leaseId)?.abort()
  waits.set(leaseId, own)
  const over = AbortSignal.any([own.signal, ctx.services.observability.readiness.stopping])
  const changes = changesOf(ctx)
  try {
    let found = await look()
    while (isEmpty(found) && performance.now() < untilMs && !over.aborted) {
      await changes.orPause(Math.min(untilMs - performance.now(), lookEveryMs), over)
      found = await look()
    }
    return found
  } finally {
    changes.unsubscribe()
    if (waits.get(leaseId) === own) waits.delete(leaseId)
  }
}

/** Work that becomes due by the clock, or through another process, is found by looking. */
const lookEveryMs = 5_000
/** Changes come in bursts: one look for all of them. */
const gatherMs = 20

/** Follows what the organization changes, so that none is missed while it is looked for work. */
function changesOf(ctx: Context) {
  let changed = new AbortController()
  const wake = () => changed.abort()
  const unsubscribe = ctx.services.signals.subscribe(({ organizationId }) => {
    if (organizationId === ctx.organization.id) wake()
  }, wake)
  return {
    unsubscribe,
    /** Waits until something has changed since it last waited, the time is over, or no one is to wait any more. */
    async orPause(ms: number, over: AbortSignal): Promise<void> {
      await pause(ms, AbortSignal.any([changed.signal, over]))
      if (!over.aborted && changed.signal.aborted) await pause(gatherMs, over)
      changed = new AbortController()
    },
  }
}
