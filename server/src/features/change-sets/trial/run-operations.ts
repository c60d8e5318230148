import { setImmediate } from 'node:timers/promises'
import { lackOfRole, may } from '../../../identity/permissions.ts'
import { recordDenial } from '../../../kernel/change.ts'
import type { Context, DryRun, Ledger, WriteContext } from '../../../kernel/context.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import type { RunPart } from '../../../kernel/savepoints.ts'
import { Problem, Refusal } from '../../../problems/problem.ts'
import { atOperation, isOfOperation, warningsOf } from '../../campaigns/bulk/faults.ts'
import { runOperation } from '../../campaigns/bulk/operations.ts'
import { type Changed, changeables } from '../operations/changeables.ts'
import {
  type Expected,
  isSame,
  type OperationOutcome,
  withoutAct,
  withRefs,
} from '../operations/outcomes.ts'
import { asSent, type Operation } from '../operations/read.ts'
import { resolved, resolvedBody } from '../operations/refs.ts'
import type { SeenObjects } from './seen.ts'

export type OperationsRun = {
  part: RunPart
  operations: readonly Operation[]
  /** The objects that are there before the first operation. */
  seen: SeenObjects
  /** By index; absent in a trial. */
  expected?: ReadonlyMap<number, Expected>
  /** Holds it to what agents may propose, also when a person runs it. */
  isByAgent?: boolean
  /** Sees the events of each operation that is done. */
  onDone?: (events: readonly LedgerEvent[]) => void
}

/** The effects of the operations before. */
type Progress = {
  made: Map<string, string>
  /** By id, back to `@<ref>`. */
  refs: Map<string, string>
  /** How many versions each object has gone through. */
  steps: Map<string, number>
}

/** The operation would do something else than what was tried. */
export class Moved extends Problem {
  constructor(version: number | null) {
    super('version_mismatch', 'It would do something else now than when it was tried.', {
      members: { current_version: version ?? 1 },
    })
  }
}

/** Runs operations in order, each seeing what those before it did; those that fail leave nothing. */
export async function runAll(ctx: WriteContext, run: OperationsRun): Promise<OperationOutcome[]> {
  const progress: Progress = { made: new Map(), refs: new Map(), steps: new Map() }
  const outcomes: OperationOutcome[] = []
  for (const [at, operation] of run.operations.entries()) {
    // Yields to other requests.
    if (at % 10 === 9) await setImmediate()
    outcomes.push(await outcomeOf(ctx, operation, { run, progress }))
  }
  return outcomes
}

type Tools = { run: OperationsRun; progress: Progress }

async function outcomeOf(
  ctx: WriteContext,
  operation: Operation,
  { run, progress }: Tools,
): Promise<OperationOutcome> {
  const { target, index } = operation
  const id = target === null ? null : resolved(target, progress.made)
  const seen = id === null ? undefined : run.seen.get(id)
  const known = {
    operation,
    id,
    name: seen?.name ?? null,
    versionSeen: seen?.version ?? null,
  }
  const dryRun = ctx.dryRun && { object: undefined, warnings: [] }
  const own = { ...ctx, ifMatch: versionFor(operation, id, { run, progress }), dryRun }
  try {
    const done = await run.part(own, (ctx) => perform(ctx, operation, { run, progress, id }))
    const { events, ...outcome } = done
    note(progress, operation, done)
    run.onDone?.(events)
    return { ...known, ...outcome, warnings: dryRun ? warningsIn(index, dryRun) : [] }
  } catch (error) {
    if (!(error instanceof Problem) || !isOfOperation(error)) throw error
    const problem = atOperation(index, error)
    const failed = { effect: 'failed' as const, version: known.versionSeen, status: error.status }
    return { ...known, ...failed, changes: [], warnings: [], problem, cause: error }
  }
}

const warningsIn = (index: number, dryRun: DryRun) => warningsOf(index, dryRun)

/**
 * The version that the object must have: the one that was sent, or else the one that is there. An
 * earlier operation on the object moves it on from either.
 */
function versionFor(
  { version, op }: Operation,
  id: string | null,
  { run, progress }: Tools,
): number[] | null {
  if (op === 'create' || id === null) return null
  const steps = progress.steps.get(id) ?? 0
  const before = run.seen.get(id)?.version ?? 0
  if (version === null || version === before) return [before + steps]
  return [version]
}

type Performing = Tools & { id: string | null }

type Done = Pick<OperationOutcome, 'effect' | 'id' | 'name' | 'version' | 'status' | 'changes'> & {
  problem: null
  cause: null
  /** Every object that got a new version. */
  moved: readonly string[]
  events: readonly LedgerEvent[]
}

async function perform(
  ctx: WriteContext,
  operation: Operation,
  { run, progress, id }: Performing,
): Promise<Done> {
  const { resource, op, index } = operation
  checkRight(ctx, operation, run.isByAgent === true)
  const { kinds } = changeables[resource]
  const ledger = await ctx.ledger
  const [first, firstEvent] = [ledger.records.length, ledger.events.length]
  const { status, object } = await runOperation<Changed>(ctx, asSent(operation, id), {
    kinds,
    resolve: (body) => resolvedBody(body, progress.made),
  })
  const records = ledger.records.slice(first)
  const objectId = object?.id ?? id
  const own = records.find(({ resource }) => resource.id === objectId)
  nameMadeOnTheWay(progress, records, objectId)
  const found = own ? withoutAct(own.changes) : []
  const changes = withRefs(found, progress.refs)
  const effect = own ? op : 'unchanged'
  const expected = run.expected?.get(index)
  if (
    expected &&
    !(expected.effect === effect && isSame({ resource, changes }, { resource, ...expected }))
  ) {
    throw new Moved(run.seen.get(id ?? '')?.version ?? null)
  }
  return {
    effect,
    id: objectId,
    name: own?.resource.name ?? run.seen.get(id ?? '')?.name ?? null,
    version: op === 'delete' ? null : (object?.version ?? null),
    status,
    changes: expected ? found : changes,
    problem: null,
    cause: null,
    moved: records.flatMap(({ resource }) => resource.id ?? []),
    events: ledger.events.slice(firstEvent),
  }
}

/** Such as a client, by the profile that names it first. */
function nameMadeOnTheWay({ refs }: Progress, records: Ledger['records'], own: string | null) {
  for (const { action, resource } of records) {
    const isMade = action.endsWith('.created') && resource.id !== own
    if (isMade && resource.id !== null) refs.set(resource.id, `@${resource.name}`)
  }
}

const decisions: readonly (string | null)[] = ['approve', 'reject']

/** The rights that the operation needs alone. */
function checkRight(
  ctx: Context,
  { resource, op, action, target }: Operation,
  isByAgent: boolean,
): void {
  const { write } = changeables[resource]
  const isForPeople = isByAgent && (!write.isForAgents || decisions.includes(action))
  if (may(ctx, write) && !isForPeople) return
  const about = { id: target, name: null }
  throw new Refusal('insufficient_role', lackOfRole(ctx, write.roles), {
    members: { required_roles: write.roles },
    record: (ctx: Context) => recordDenial(ctx, `${resource}.${action ?? past[op]}`, about),
  })
}

const past = { create: 'created', update: 'updated', action: 'updated', delete: 'deleted' } as const

function note({ made, refs, steps }: Progress, { ref }: Operation, { id, moved, effect }: Done) {
  for (const each of moved) steps.set(each, (steps.get(each) ?? 0) + 1)
  if (effect !== 'create' || ref === null || id === null) return
  made.set(ref, id)
  refs.set(id, `@${ref}`)
}
