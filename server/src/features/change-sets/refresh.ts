import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { inTransaction, recordRefusal, throwIfReplayed } from '../../kernel/transaction.ts'
import { Problem } from '../../problems/problem.ts'
import { moved, recorded, store } from './change.ts'
import { checkManage } from './decisions.ts'
import { isSame, type OperationOutcome } from './operations/outcomes.ts'
import {
  failuresOf,
  type OperationRow,
  operationIn,
  storedOperations,
  updateOperations,
} from './operations/rows.ts'
import type { ChangeSetRow } from './present.ts'
import { foundBy, isTimed, tryOut } from './propose.ts'
import type { ChangeSet } from './schema.ts'
import { livingStatus } from './status.ts'
import type { Trial } from './trial/trial.ts'

/**
 * Tries the operations out on what is there now, with every check that the proposal made: operations
 * that failed it are stored as well.
 */
export async function refreshChangeSet(ctx: Context, id: string): Promise<ChangeSet> {
  await throwIfReplayed(ctx)
  const tried = await oneOf(ctx, 'change_sets', id)
  await checkManage(ctx, tried, 'refresh').catch(async (error: unknown) => {
    await recordRefusal(ctx, error)
    throw error
  })
  const stored = await storedOperations(ctx, id)
  const trial = await tryOut(ctx, {
    id,
    author: { by: tried.created_by, at: tried.created_at },
    mode: tried.mode,
    operations: stored.map((row) => operationIn(ctx, row)),
  })
  return inTransaction(ctx, async (ctx) => {
    const row = await oneOf(ctx, 'change_sets', id)
    if (row.version !== tried.version) throw changedMeanwhile(row)
    const found = foundBy(ctx, trial)
    const isVoid = row.approved_at !== null && !isUnchanged(row, stored, trial)
    const approved = isVoid ? { approved_by: null, approved_at: null } : {}
    // Refreshed by an agent, it is applied by the clock with the agent's rights.
    const timed = ctx.agent && isTimed(row) ? { timed_by: ctx.actor.id } : {}
    const status = livingStatus({ ...row, ...found, ...approved })
    const after = moved(ctx, row, { ...found, ...approved, ...timed, status })
    store(ctx, row, after)
    await updateOperations(ctx, id, trial.outcomes)
    const failures = failuresOf(ctx, trial.outcomes)
    return recorded(ctx, { action: 'change_set.refreshed', before: row, after, failures })
  })
}

const changedMeanwhile = ({ version }: ChangeSetRow): Problem =>
  new Problem('version_mismatch', `The change set is at version ${version} now.`, {
    members: { current_version: version },
  })

/** Whether the trial found what was approved, to the version of each object. */
const isUnchanged = (
  row: ChangeSetRow,
  stored: readonly OperationRow[],
  { outcomes, spend_delta }: Trial,
): boolean =>
  isDeepStrictEqual(row.spend_delta, spend_delta) &&
  stored.every((before, at) => {
    const after = outcomes[at]
    return after !== undefined && isSameOutcome(before, after)
  })

const isSameOutcome = (before: OperationRow, after: OperationOutcome): boolean =>
  before.effect === after.effect &&
  before.version_seen === after.versionSeen &&
  before.problem?.code === after.problem?.code &&
  isSame(before, { resource: before.resource, changes: after.changes })
