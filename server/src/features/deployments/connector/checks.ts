import { sql } from 'kysely'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import {
  type NetworkAnswer,
  noteNetworkChecks,
  openNetworkChecks,
} from '../../change-sets/operations/network-checks.ts'
import { writeBeside } from '../beside.ts'
import { type HeldLease, lockHeld } from './lease.ts'
import type { CheckInput } from './report-schema.ts'
import type { WorkReply } from './schema.ts'
import { itemOf } from './work-item.ts'

// One that is gone, or in another account by now, is judged by no one.
const judgeableSql = `
  select id from deployments
  where organization_id = $1 and profile_id = any($3) and state <> 'removed'`

/** Deployments as change sets would leave them, which no connector has judged yet. */
export async function openChecks(
  ctx: Context,
  { connections }: HeldLease,
  limit: number,
): Promise<WorkReply['checks']> {
  const profileIds = connections.filter(({ error }) => error === null).map(({ id }) => id)
  const open = await openNetworkChecks(ctx, { profileIds, deploymentIds: judgeableSql, limit })
  if (open.length === 0) return []
  const rows = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`id = any(${open.map(({ deployment_id }) => deployment_id)})
      and profile_id = any(${profileIds}) and state <> 'removed'`)
    .select(columnsOf.deployments)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return open.flatMap(({ change_set_id, index, tried_at, deployment_id, desired }) => {
    const row = byId.get(deployment_id)
    if (!row) return []
    const item = { ...itemOf({ ...row, desired }), why: 'changed' as const }
    return [{ change_set_id, index, tried_at, ...item }]
  })
}

export async function noteChecks(
  ctx: Context,
  holding: HeldLease,
  checks: readonly CheckInput[],
): Promise<void> {
  const answers = checks.map(({ error, ...said }): NetworkAnswer => {
    const { code = 'transient', message = '', errors = [] } = error ?? {}
    const isRefused = said.outcome === 'refused' && error
    return { ...said, error: isRefused ? { code, message, errors } : null }
  })
  const profileIds = holding.connections.map(({ id }) => id)
  await writeBeside(ctx, async (tx) => {
    await lockHeld(ctx, tx, holding)
    noteNetworkChecks(ctx, tx, { profileIds, answers })
  })
}
