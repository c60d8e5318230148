import { isDeepStrictEqual } from 'node:util'
import type { Changes, OperationResult } from '../../../database/tables/json-columns.ts'
import type { ChangeSetFacts, Context, WriteContext } from '../../../kernel/context.ts'
import { oneOf } from '../../../kernel/rows.ts'
import { type RunPart, withSavepoints } from '../../../kernel/savepoints.ts'
import { recordRefusal } from '../../../kernel/transaction.ts'
import { Problem } from '../../../problems/problem.ts'
import { isOfOperation } from '../../campaigns/bulk/faults.ts'
import { runOperation } from '../../campaigns/bulk/operations.ts'
import { changeSetFactsOf, moved, recorded, store } from '../change.ts'
import { changeables } from '../operations/changeables.ts'
import { type OperationRow, storedOperations, updateResults } from '../operations/rows.ts'
import type { ChangeSetRow } from '../present.ts'
import type { ChangeSet } from '../schema.ts'
import { actionBack, isSameStatus } from '../trial/actions.ts'
import { refusals } from '../trial/trial.ts'
import { barredFrom } from './barred.ts'
import { type ChangedSince, changedSince } from './changed-since.ts'

type Left = NonNullable<OperationResult['left']>
type RevertOutcome = { reverted: string[]; left: Left }

/**
 * Sets back what an applied change set changed: each field to what it was before, the last operation
 * first. What others have changed since is left, and what may not be done any more; both are reported.
 */
export const revertChangeSet = (ctx: Context, id: string): Promise<ChangeSet> =>
  withSavepoints(ctx, {
    refusals,
    readAhead: async () => {},
    work: async (ctx, part) => {
      const row = await oneOf(ctx, 'change_sets', id)
      const operations = (await storedOperations(ctx, id)).filter(hasChanged)
      const [isChanged, barred] = await Promise.all([
        changedSince(ctx, id, operations),
        barredFrom(ctx, row, operations),
      ])
      const inside = { ...ctx, changeSet: { ...changeSetFactsOf(row), barred } }
      for (const operation of operations.toReversed()) {
        const outcome = await setBack({ ctx: inside, part, isChanged, operation })
        const { status = 200, version = null } = operation.result ?? {}
        operation.result = { status, version, ...outcome }
      }
      updateResults(inside, operations)
      const done = { status: 'reverted', reverted_at: ctx.now } as const
      const after = moved(ctx, row, { ...done, failure: failureIn(operations, barred) })
      store(ctx, row, after)
      return recorded(inside, { action: 'change_set.reverted', before: row, after })
    },
  })

const hasChanged = ({ effect, changes }: OperationRow) =>
  effect !== 'failed' && effect !== 'unchanged' && changes.length > 0

/** The refusals in short; fields that others have changed are as they should be. */
function failureIn(operations: readonly OperationRow[], barred: Barred): ChangeSetRow['failure'] {
  const left = operations.flatMap(({ result }) => result?.left ?? [])
  const refused = left.filter(({ reason }) => reason !== 'changed' && reason !== 'impossible')
  const [first] = refused
  if (!first) return null
  const why = barred?.code === first.reason ? ` ${barred.detail}` : ''
  const count = refused.length === 1 ? 'One field was' : `${refused.length} fields were`
  return { code: first.reason, detail: `${count} not set back.${why}` }
}

type Barred = ChangeSetFacts['barred']

type RevertSetting = {
  ctx: WriteContext
  part: RunPart
  isChanged: ChangedSince
  operation: OperationRow
}

async function setBack(setting: RevertSetting): Promise<RevertOutcome> {
  const { op, object_id: id, resource } = setting.operation
  if (op === 'create' || op === 'delete' || id === null) return leftAll([['id', id]], 'impossible')
  const current = await changeables[resource].get(setting.ctx, id).catch(gone)
  if (!current) return leftAll([['id', null]], 'changed')
  const changing = { ...setting, id }
  return op === 'action' ? actBack(changing, current) : changeBack(changing, current)
}

function gone(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_found') return undefined
  throw error
}

const leftAll = (fields: readonly [string, unknown][], reason: string): RevertOutcome => ({
  reverted: [],
  left: fields.map(([field, found]) => ({ field, found, reason })),
})

type Changing = RevertSetting & { id: string }
type Current = Readonly<Record<string, unknown>>

/** The last change of the field is the change set's. */
const isOwn = ({ isChanged, id }: Changing, current: Current, field: string): boolean =>
  !isChanged({ id, version: Number(current.version) }, field)

async function changeBack(changing: Changing, current: Current): Promise<RevertOutcome> {
  const { resource, changes } = changing.operation
  const { writable } = changeables[resource]
  const set = changes.filter(({ field }) => writable.includes(field))
  const found = (field: string) => current[field] ?? null
  const isAsSet = ({ field, after }: Changes[number]) =>
    isDeepStrictEqual(found(field), after) && isOwn(changing, current, field)
  const others = set.filter((change) => !isAsSet(change))
  const changed = leftAll(
    others.map(({ field }) => [field, found(field)]),
    'changed',
  )
  const { reverted, left } = await fieldsBack(changing, set.filter(isAsSet))
  return { reverted, left: [...changed.left, ...left] }
}

/** Together, as they may depend on each other; where that is refused, each that may be alone. */
async function fieldsBack(changing: Changing, changes: Changes): Promise<RevertOutcome> {
  if (changes.length === 0) return { reverted: [], left: [] }
  const body = Object.fromEntries(changes.map(({ field, before }) => [field, before]))
  const refused = await tryBack(changing, { op: 'update', body })
  if (refused === null) return { reverted: Object.keys(body), left: [] }
  if (changes.length === 1) {
    await recordRefusal(changing.ctx, refused)
    return leftAll(
      changes.map(({ field, after }) => [field, after]),
      refused.code,
    )
  }
  const outcomes: RevertOutcome[] = []
  for (const change of changes) outcomes.push(await fieldsBack(changing, [change]))
  return {
    reverted: outcomes.flatMap(({ reverted }) => reverted),
    left: outcomes.flatMap(({ left }) => left),
  }
}

async function actBack(changing: Changing, current: Current): Promise<RevertOutcome> {
  const change = changing.operation.changes.find(({ field }) => field === 'status')
  if (!change) return { reverted: [], left: [] }
  const [now, before] = [String(current.status), String(change.before)]
  const isAsSet = isSameStatus(now, String(change.after)) && isOwn(changing, current, 'status')
  if (!isAsSet) return leftAll([['status', now]], 'changed')
  const action = actionBack(now, before)
  if (!action) return leftAll([['status', now]], 'impossible')
  const refused = await tryBack(changing, { op: 'action', action: action.name })
  if (refused !== null) {
    await recordRefusal(changing.ctx, refused)
    return leftAll([['status', now]], refused.code)
  }
  return isSameStatus(action.to, before)
    ? { reverted: ['status'], left: [] }
    : leftAll([['status', action.to]], 'impossible')
}

type RevertRequest = { op: 'update' | 'action'; action?: string; body?: object }

/** The problem that refuses it; null if it is done. */
async function tryBack(
  { ctx, part, operation, id }: Changing,
  sent: RevertRequest,
): Promise<Problem | null> {
  const { kinds } = changeables[operation.resource]
  try {
    await part(ctx, (ctx) => runOperation(ctx, { ...sent, id }, { kinds }))
    return null
  } catch (error) {
    if (error instanceof Problem && isOfOperation(error)) return error
    throw error
  }
}
