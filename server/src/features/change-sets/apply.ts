import type { ChangeSetFacts, Context, WriteContext } from '../../kernel/context.ts'
import { checkVersion, oneOf } from '../../kernel/rows.ts'
import { RefusedAsAWhole, type RunPart, withSavepoints } from '../../kernel/savepoints.ts'
import { recordRefusal } from '../../kernel/transaction.ts'
import type { Problem } from '../../problems/problem.ts'
import { itemsOf } from '../campaigns/bulk/faults.ts'
import { takenFromEnvelope } from './agents/envelope.ts'
import { checkAgentMayApply, checkPersonApplies, unapproved } from './agents/may-apply.ts'
import { changeSetFactsOf, moved, recorded, store } from './change.ts'
import { checkStatus } from './decisions.ts'
import { isFailed, type OperationOutcome } from './operations/outcomes.ts'
import {
  expectedOf,
  type OperationRow,
  operationIn,
  storedOperations,
  updateOperations,
} from './operations/rows.ts'
import { type ChangeSetRow, presentOne } from './present.ts'
import type { ChangeSet } from './schema.ts'
import { checkFresh, notApplicable, notApplicableWith, staleProblem } from './stale/fresh.ts'
import { isUnapproved } from './status.ts'
import { Moved } from './trial/run-operations.ts'
import { readAheadOf, refusals, type Trial, tryAll } from './trial/trial.ts'

/** Applies what was tried, in one transaction. One that is applied already stays as it is. */
export const applyChangeSet = (ctx: Context, id: string): Promise<ChangeSet> =>
  withSavepoints(ctx, {
    refusals,
    readAhead: async (ahead) => {
      const stored = await storedOperations(ahead.stable, id)
      await readAheadOf(ahead, operationsIn(ctx, stored))
      return stored
    },
    work: async (ctx, part, stored) => {
      const row = await oneOf(ctx, 'change_sets', id)
      // The same request again finds out what became of the first.
      if (row.status === 'applied') return presentOne(ctx, row)
      await checkApplicable(ctx, row, stored)
      return applied(ctx, row, { part, stored })
    },
  })

const operationsIn = (ctx: Context, rows: readonly OperationRow[]) =>
  rows.filter((row) => !isFailed(row)).map((row) => operationIn(ctx, row))

async function checkApplicable(
  ctx: WriteContext,
  row: ChangeSetRow,
  stored: readonly OperationRow[],
): Promise<void> {
  checkVersion(ctx, row.version)
  checkStatus(row, 'apply', ctx.now)
  if (row.mode === 'atomic') await checkFresh(ctx, row)
  if (isUnapproved(row)) throw unapproved(row)
  checkAgentMayApply(ctx, row)
  await checkPersonApplies(ctx, row)
  // An agent hears a refusal where nothing would happen, and it counts.
  const isEmpty = ctx.agent !== null && stored.every(isFailed)
  if (!row.applicable || isEmpty) throw await notApplicable(ctx, row)
}

type Applying = { part: RunPart; stored: readonly OperationRow[] }

async function applied(
  ctx: WriteContext,
  row: ChangeSetRow,
  { part, stored }: Applying,
): Promise<ChangeSet> {
  const changeSet = changeSetFactsOf(row)
  const inside = { ...ctx, ifMatch: null, changeSet }
  const trial = await tryAll(inside, {
    mode: row.mode,
    part,
    operations: operationsIn(ctx, stored),
    expected: expectedOf(stored),
    versions: versionsIn(stored),
    revertAt: row.revert_at,
  })
  const { outcomes } = trial
  const causes = outcomes.flatMap(({ cause }) => cause ?? [])
  // A refusal counts against the agent, and leaves the set as it was.
  const isWhole = row.mode === 'atomic' || ctx.agent !== null
  const problem = refusalOf(row, { trial, changeSet, isWhole })
  if (problem) throw new RefusedAsAWhole(problem, causes, changeSet)
  const envelope_use = await takenFromEnvelope(ctx, row, trial.raises)
  for (const cause of causes) await recordRefusal(inside, cause)
  await updateOperations(inside, row.id, outcomes, true)
  const done = { status: 'applied', applied_by: ctx.actor.id, applied_at: ctx.now } as const
  const after = moved(ctx, row, { ...done, envelope_use })
  store(ctx, row, after)
  return recorded(inside, { action: 'change_set.applied', before: row, after })
}

/** By object: the version that the trial saw. */
const versionsIn = (rows: readonly OperationRow[]): Map<string, number> =>
  new Map(
    rows.flatMap(({ object_id, version_seen }) =>
      object_id !== null && version_seen !== null ? [[object_id, version_seen] as const] : [],
    ),
  )

type Tried = { trial: Trial; changeSet: ChangeSetFacts; isWhole: boolean }

function refusalOf(row: ChangeSetRow, { trial, changeSet, isWhole }: Tried): Problem | null {
  const failed = isWhole ? trial.outcomes.filter(isFailed) : []
  if (failed.length > 0) return refusalFor(row, failed)
  return trial.approval_reasons.length > 0 && !changeSet.approver ? unapproved(row) : null
}

function refusalFor(row: ChangeSetRow, failed: readonly OperationOutcome[]): Problem {
  const moved = failed.filter(({ cause }) => cause instanceof Moved)
  if (moved.length > 0) return staleProblem(moved.map(staleOf))
  const faults = failed.flatMap(({ operation: { index }, problem }) =>
    problem ? itemsOf({ index, problem }) : [],
  )
  return notApplicableWith(faults, { ...row, summary: { ...row.summary, failed: failed.length } })
}

/** The object is as it was, and yet the operation would do something else. */
const staleOf = ({ operation: { index, resource }, id, versionSeen }: OperationOutcome) => ({
  index,
  resource,
  id: versionSeen === null ? null : id,
  version_seen: versionSeen,
  current_version: versionSeen,
  changed_by: null,
  changed_at: null,
})
