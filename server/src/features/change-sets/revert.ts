import { isDeepStrictEqual } from 'node:util'
import type { OperationResult } from '../../database/json-columns.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { type RunPart, withSavepoints } from '../../kernel/savepoints.ts'
import { Problem } from '../../problems/problem.ts'
import { isOfOperation } from '../campaigns/bulk/faults.ts'
import { runOperation } from '../campaigns/bulk/operations.ts'
import { alreadyChecked } from './bodies.ts'
import { factsOf, moved, recorded, store } from './change.ts'
import { changeables } from './requests.ts'
import { type OperationRow, storedOperations, updateResults } from './rows.ts'
import type { ChangeSet } from './schema.ts'
import { refusals } from './trial.ts'
import { actionBack, isSameStatus } from './way-back.ts'

type Left = NonNullable<OperationResult['left']>
type Outcome = { reverted: string[]; left: Left }

/**
 * Sets back what an applied change set changed: each field to what it was before, the last operation
 * first. What others have changed since is left, and reported.
 */
export const revertChangeSet = (ctx: Context, id: string): Promise<ChangeSet> =>
  withSavepoints(ctx, {
    refusals,
    readAhead: async () => {},
    work: async (ctx, part) => {
      const row = await oneOf(ctx, 'change_sets', id)
      const inside = { ...ctx, changeSet: factsOf(row) }
      const operations = (await storedOperations(ctx, id)).filter(hasChanged)
      for (const operation of operations.toReversed()) {
        const outcome = await setBack(inside, operation, part)
        const { status = 200, version = null } = operation.result ?? {}
        operation.result = { status, version, ...outcome }
      }
      updateResults(inside, operations)
      const after = moved(ctx, row, { status: 'reverted', reverted_at: ctx.now })
      store(ctx, row, after)
      return recorded(inside, { action: 'change_set.reverted', before: row, after })
    },
  })

const hasChanged = ({ effect, changes }: OperationRow) =>
  effect !== 'failed' && effect !== 'unchanged' && changes.length > 0

async function setBack(
  ctx: WriteContext,
  operation: OperationRow,
  part: RunPart,
): Promise<Outcome> {
  const { op, object_id: id, resource } = operation
  if (op === 'create' || op === 'delete' || id === null) return leftAll([['id', id]], 'impossible')
  const current = await changeables[resource].get(ctx, id).catch(gone)
  if (!current) return leftAll([['id', null]], 'changed')
  const changing = { ctx, part, operation, id }
  return op === 'action' ? actBack(changing, current) : changeBack(changing, current)
}

function gone(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_found') return undefined
  throw error
}

const leftAll = (fields: readonly [string, unknown][], reason: string): Outcome => ({
  reverted: [],
  left: fields.map(([field, found]) => ({ field, found, reason })),
})

type Changing = { ctx: WriteContext; part: RunPart; operation: OperationRow; id: string }
type Current = Readonly<Record<string, unknown>>

async function changeBack(changing: Changing, current: Current): Promise<Outcome> {
  const { resource, changes } = changing.operation
  const { writable } = changeables[resource]
  const own = changes.filter(({ field }) => writable.includes(field))
  const [same, others] = [
    own.filter(({ field, after }) => isDeepStrictEqual(current[field] ?? null, after)),
    own.filter(({ field, after }) => !isDeepStrictEqual(current[field] ?? null, after)),
  ]
  const changed = leftAll(
    others.map(({ field }) => [field, current[field] ?? null]),
    'changed',
  )
  if (same.length === 0) return changed
  const body = Object.fromEntries(same.map(({ field, before }) => [field, before]))
  const refused = await tryBack(changing, { op: 'update', body })
  if (refused === null) return { ...changed, reverted: Object.keys(body) }
  const kept = leftAll(
    same.map(({ field, after }) => [field, after]),
    refused,
  )
  return { reverted: [], left: [...changed.left, ...kept.left] }
}

async function actBack(changing: Changing, { status }: Current): Promise<Outcome> {
  const change = changing.operation.changes.find(({ field }) => field === 'status')
  if (!change) return { reverted: [], left: [] }
  const [now, before, after] = [String(status), String(change.before), String(change.after)]
  if (!isSameStatus(now, after)) return leftAll([['status', now]], 'changed')
  const action = actionBack(now, before)
  if (!action) return leftAll([['status', now]], 'impossible')
  const refused = await tryBack(changing, { op: 'action', action: action.name })
  if (refused !== null) return leftAll([['status', now]], refused)
  return isSameStatus(action.to, before)
    ? { reverted: ['status'], left: [] }
    : leftAll([['status', action.to]], 'impossible')
}

type Sent = { op: 'update' | 'action'; action?: string; body?: object }

/** The code of the problem that refuses it; null if it is done. */
async function tryBack({ ctx, part, operation, id }: Changing, sent: Sent): Promise<string | null> {
  const { kinds } = changeables[operation.resource]
  try {
    await part(ctx, (ctx) => runOperation(ctx, { ...sent, id }, { kinds, check: alreadyChecked }))
    return null
  } catch (error) {
    if (error instanceof Problem && isOfOperation(error)) return error.code
    throw error
  }
}
