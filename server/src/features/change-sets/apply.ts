import type { CheckBody } from '../../http/endpoint.ts'
import type { ChangeSetFacts, Context, WriteContext } from '../../kernel/context.ts'
import { checkVersion, oneOf } from '../../kernel/rows.ts'
import { type RunPart, withSavepoints } from '../../kernel/savepoints.ts'
import { recordRefusal } from '../../kernel/transaction.ts'
import { conflict, type Problem } from '../../problems/problem.ts'
import { itemsOf } from '../campaigns/bulk/faults.ts'
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
import { readAheadOf, refusals, tryAll } from './trial/trial.ts'

/** Read ahead of the work, and known to it. */
type StoredOperations = { operations: OperationRow[] }

/** The outcomes of the operations, for the record of a refusal of the whole. */
type FoundOutcomes = {
  outcomes: readonly OperationOutcome[]
  changeSet: ChangeSetFacts | undefined
}

/** Applies what was tried, in one transaction. One that is applied already stays as it is. */
export async function applyChangeSet(
  ctx: Context,
  id: string,
  check: CheckBody,
): Promise<ChangeSet> {
  const stored: StoredOperations = { operations: [] }
  let found: FoundOutcomes = { outcomes: [], changeSet: undefined }
  try {
    return await withSavepoints(ctx, {
      refusals,
      readAhead: async (ahead) => {
        stored.operations = await storedOperations(ahead.stable, id)
        await readAheadOf(ahead, operationsIn(ctx, stored.operations))
      },
      work: async (ctx, part) => {
        const row = await oneOf(ctx, 'change_sets', id)
        // The same request again finds out what became of the first.
        if (row.status === 'applied') return presentOne(ctx, row)
        await checkApplicable(ctx, row)
        return applied(ctx, row, {
          part,
          check,
          stored,
          onFound: (each) => {
            found = each
          },
        })
      },
    })
  } catch (error) {
    const { outcomes, changeSet } = found
    const of = changeSet ? { ...ctx, changeSet } : ctx
    for (const { cause } of outcomes) if (cause) await recordRefusal(of, cause)
    throw error
  }
}

const operationsIn = (ctx: Context, rows: readonly OperationRow[]) =>
  rows.filter((row) => !isFailed(row)).map((row) => operationIn(ctx, row))

async function checkApplicable(ctx: WriteContext, row: ChangeSetRow): Promise<void> {
  checkVersion(ctx, row.version)
  checkStatus(row, 'apply', ctx.now)
  if (row.mode === 'atomic') await checkFresh(ctx, row)
  if (isUnapproved(row)) throw unapproved(row)
  if (!row.applicable) throw await notApplicable(ctx, row)
}

const unapproved = ({ status }: ChangeSetRow): Problem =>
  conflict('approval_required', 'The change set needs an approval first.', {
    current_status: status,
    action: 'apply',
    allowed_actions: ['approve', 'reject', 'cancel', 'refresh'],
  })

type Applying = {
  part: RunPart
  check: CheckBody
  stored: StoredOperations
  onFound(found: FoundOutcomes): void
}

async function applied(
  ctx: WriteContext,
  row: ChangeSetRow,
  { part, check, stored, onFound }: Applying,
): Promise<ChangeSet> {
  const changeSet = changeSetFactsOf(row)
  const inside = { ...ctx, ifMatch: null, changeSet }
  const trial = await tryAll(inside, {
    mode: row.mode,
    part,
    check,
    operations: operationsIn(ctx, stored.operations),
    expected: expectedOf(stored.operations),
    versions: versionsIn(stored.operations),
  })
  const { outcomes, approval_reasons } = trial
  onFound({ outcomes, changeSet })
  if (row.mode === 'atomic') refuseFailed(row, outcomes)
  if (approval_reasons.length > 0 && !changeSet.approver) throw unapproved(row)
  for (const { cause } of outcomes) if (cause) await recordRefusal(inside, cause)
  await updateOperations(inside, row.id, outcomes, true)
  const done = { status: 'applied', applied_by: ctx.actor.id, applied_at: ctx.now } as const
  const after = moved(ctx, row, done)
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

function refuseFailed(row: ChangeSetRow, outcomes: readonly OperationOutcome[]): void {
  const failed = outcomes.filter(isFailed)
  if (failed.length === 0) return
  const moved = failed.filter(({ cause }) => cause instanceof Moved)
  if (moved.length > 0) throw staleProblem(moved.map(staleOf))
  const faults = failed.flatMap(({ operation: { index }, problem }) =>
    problem ? itemsOf({ index, problem }) : [],
  )
  throw notApplicableWith(faults, { ...row, summary: { ...row.summary, failed: failed.length } })
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
