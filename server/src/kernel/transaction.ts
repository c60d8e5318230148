import { setTimeout } from 'node:timers/promises'
import { type Ending, endingOf } from '../concurrency/ending.ts'
import { gathering } from '../concurrency/gathering.ts'
import { keyedSemaphore } from '../concurrency/semaphore.ts'
import { NeedsOwn, type Reader, type Transaction } from '../database/database.ts'
import { isRefusal as isRefusedByDatabase, sqlErrorOf } from '../database/driver/sql-error.ts'
import { whole, withReader } from '../database/scope/readers.ts'
import type { Query } from '../database/tables/kysely.ts'
import { notification } from '../database/transactions/notifications.ts'
import { isWithoutPartition, makePartitionsAhead } from '../database/upkeep/partitions.ts'
import { throwIfLate } from '../limits/deadlines.ts'
import { invalid, Refusal } from '../problems/problem.ts'
import { credentialsText } from '../signals/codec.ts'
import type { Signal } from '../signals/signals.ts'
import { commitLedger, commitLedgers, type Done, isHeadConflict } from './commit.ts'
import {
  type Context,
  type DryRun,
  type Ledger,
  nowIn,
  type Services,
  type WriteContext,
} from './context.ts'
import { lockHeadFirst, openLedger, type SharedHead } from './ledger.ts'
import { awakeOf } from './outbox.ts'
import { countsAfter, hasRoom } from './quotas.ts'
import { reportWarning, StorageUnmeasured, warnOfStorage, withMeasuredStorage } from './storage.ts'

const maxWaiting = 200
const oneWriter = keyedSemaphore(maxWaiting)

/** How a transaction goes with others of the organization. */
export type Company = {
  /** The work reads nothing that others of the kind write, and only sends: they commit as one. */
  readonly isAddition?: boolean
}

/**
 * Joins the context's transaction, or opens one. An organization has one writer at a time, or some
 * that only add: within the process by a semaphore, across processes by its audit sequence, which only
 * one can take. The loser of that race retries.
 */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
  { isAddition = false }: Company = {},
): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  const { id } = ctx.organization
  const writing =
    isAddition && !ctx.dryRun ? among(ctx, work) : oneWriter(id, () => alone(ctx, work))
  const { result, ledger } = await writing.catch(async (error: unknown) => {
    await recordRefusal(ctx, error)
    throw error
  })
  if (ctx.dryRun) return result
  reportWarning(ctx, ledger)
  const signal = signalOf(ctx, ledger)
  if (signal.touchesCredentials || ledger.events.length > 0) ctx.services.signals.emit(signal)
  return result
}

type Work<T> = (ctx: WriteContext) => Promise<T>
type Written<T> = { result: T; ledger: Ledger }

/** In a transaction of its own, again after lost races. */
function alone<T>(ctx: Context, work: Work<T>): Promise<Written<T>> {
  const { database } = ctx.services
  const attemptOnce = () => {
    // A request that waited too long for its turn has been answered already.
    throwIfLate(ctx.timed)
    const run = (tx: Transaction) => withLedger(ctx, tx, work)
    if (!ctx.dryRun) return database.sharedTransaction(ctx.organization.id, run)
    resetDryRun(ctx.dryRun)
    return database.dryRun(run)
  }
  return retryLostRaces(ctx.services, () => withMeasuredStorage(ctx, attemptOnce))
}

/** A transaction that may commit together with others. */
type Addition = {
  readonly ctx: Context
  prepare(tx: Transaction, head: SharedHead): Promise<Done>
  alone(): Promise<void>
}

const additions = gathering<Addition>(oneWriter, writeTogether, { atOnce: 16, waiting: maxWaiting })

/** With the additions that wait at the same time. */
async function among<T>(ctx: Context, work: Work<T>): Promise<Written<T>> {
  let written: Written<T> | undefined
  await additions(ctx.organization.id, {
    ctx,
    prepare: async (tx, head) => {
      throwIfLate(ctx.timed)
      const done = await prepared(ctx, tx, { work, head })
      written = done
      return done
    },
    alone: async () => {
      written = await alone(ctx, work)
    },
  })
  if (!written) throw new Error('an addition has no result')
  return written
}

type Endings = ReadonlyMap<Addition, Ending<void>>

/** Commits what it can as one, and all others one after the other. */
async function writeTogether(all: readonly Addition[]): Promise<Ending<void>[]> {
  const ended: Endings = all.length > 1 ? await commitTogether(all) : new Map()
  const endings: Ending<void>[] = []
  for (const each of all) endings.push(ended.get(each) ?? (await endingOf(each.alone())))
  return endings
}

/** Returns how those ended that need not be written alone. */
async function commitTogether(all: readonly Addition[]): Promise<Endings> {
  const [first] = all
  if (!first) return new Map()
  const { services, organization } = first.ctx
  const head: SharedHead = {}
  const owners = new Map<Done, Addition>()
  const works = all.map((each) => async (tx: Transaction) => {
    const done = await each.prepare(tx, head)
    owners.set(done, each)
    return done
  })
  let chosen = new Set<Done>()
  const choose = (done: readonly Done[]) => {
    chosen = withRoom(done)
    commitLedgers([...chosen])
    return chosen
  }
  const ofChosen = (ending: Ending<void>): Endings =>
    new Map([...chosen].flatMap((done) => pairs(owners.get(done), ending)))
  try {
    const endings = await services.database.sharedTransactions(organization.id, works, choose)
    const failed = endings.flatMap((ending, at) =>
      'error' in ending && !mayEndAlone(ending.error) ? pairs(all[at], ending) : [],
    )
    return new Map([...failed, ...ofChosen({ value: undefined })])
  } catch (error) {
    // The database refused all: alone, only the one at fault is refused.
    return isRefusedByDatabase(error) ? new Map() : ofChosen({ error })
  }
}

const pairs = (owner: Addition | undefined, ending: Ending<void>): [Addition, Ending<void>][] =>
  owner ? [[owner, ending]] : []

const mayEndAlone = (error: unknown): boolean =>
  error instanceof NeedsOwn || error instanceof StorageUnmeasured || isRefusedByDatabase(error)

/** Keeps those that fit under the caps together, and of which none warns of a limit. */
function withRoom(done: readonly Done[]): Set<Done> {
  const chosen = new Set<Done>()
  let counts: Ledger['counts'] | undefined
  for (const each of done) {
    const { ctx, ledger } = each
    const before = { counts: counts ?? ledger.counts }
    if (ledger.storage.warning || !hasRoom(ctx, before)) continue
    chosen.add(each)
    counts = countsAfter(before, ctx.added)
  }
  return chosen
}

/** A retried attempt starts with an empty dry-run result. */
function resetDryRun(dryRun: DryRun): void {
  dryRun.object = undefined
  dryRun.warnings.length = 0
}

const maxAttempts = 10

/** Retries after a lost race, or after creating a missing partition. */
export async function retryLostRaces<T>(services: Services, attempt: () => Promise<T>): Promise<T> {
  for (let lost = 1; lost < maxAttempts; lost += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (isWithoutPartition(error)) await makePartitionsAhead(services)
      else if (isLostRace(error)) await setTimeout(Math.random() * 2 ** lost)
      else throw error
    }
  }
  return attempt()
}

const lostRaceCodes = new Set(['40001', '40P01'])

function isLostRace(error: unknown): boolean {
  const { code = '', table = '' } = sqlErrorOf(error)
  // Two identical requests that change nothing, answered in the same millisecond.
  const isAnswered = code === '23505' && table.startsWith('idempotency_keys')
  return isHeadConflict(error) || isAnswered || lostRaceCodes.has(code)
}

/** Runs `work` in a transaction that is already open, as when creating an organization. */
export async function withLedger<T>(ctx: Context, tx: Transaction, work: Work<T>) {
  const done = await prepared(ctx, tx, { work })
  await commitLedger(done)
  return done
}

type Preparing<T> = { work: Work<T>; head?: SharedHead }

/** Runs the work, and checks that it may commit. */
async function prepared<T>(
  ctx: Context,
  tx: Transaction,
  { work, head }: Preparing<T>,
): Promise<Done & Written<T>> {
  const inside = begin(ctx, tx, head)
  const result = await work(inside).catch(async (error: unknown) => {
    // A replay takes precedence over what the work would say today.
    await inside.ledger
    throw error
  })
  const ledger = await inside.ledger
  if (ctx.faults.length > 0) throw invalid([...ctx.faults])
  throwIfLate(ctx.timed)
  for (const conclude of ctx.services.declared.atCommit) conclude(whole(inside), ledger.events)
  await warnOfStorage(inside, ledger)
  if (touchesCredentials(ledger)) tx.send(notification(credentialsText(ctx.organization.id)))
  return { ctx: inside, ledger, result }
}

/** Throws `Replay` early, before checks outside the transaction that could refuse a replay. */
export async function throwIfReplayed(ctx: Context): Promise<void> {
  if (!ctx.idempotency) return
  const { database } = ctx.services
  await database.transaction((tx) => openLedger(ctx, tx))
}

const signalOf = (ctx: Context, ledger: Ledger): Signal => ({
  organizationId: ctx.organization.id,
  endpointIds: awakeOf(ledger, nowIn(ctx)),
  touchesCredentials: touchesCredentials(ledger),
})

/** New sessions, users and keys are in no cache, so creating them invalidates nothing. */
const credentialActions = /^(auth\.(?!login_)|(member|organization|api_key)\.(?!created))/

const touchesCredentials = (ledger: Ledger) =>
  ledger.records.some(({ action }) => credentialActions.test(action))

/** A reader inside a transaction. */
export const readerIn = ({ kysely }: Transaction, query: Query): Reader => ({ kysely, query })

function begin(ctx: Context, tx: Transaction, head?: SharedHead): WriteContext {
  lockHeadFirst(ctx, tx)
  const ledger = openLedger(ctx, tx, head)
  // Awaited later: without this, work that fails first leaves an unhandled rejection.
  ledger.catch(() => {})
  return {
    ...withReader(ctx, readerIn(tx, tx.query)),
    tx,
    now: nowIn(ctx),
    ledger,
    added: {},
  }
}

function isWriting(ctx: Context): ctx is WriteContext {
  return 'tx' in ctx
}

/** Records a refusal, except for dry runs and requests with faults, which would not have got here. */
export async function recordRefusal(ctx: Context, error: unknown): Promise<void> {
  if (!isRefusal(error) || ctx.dryRun || ctx.faults.length > 0) return
  const request = ctx.request && { ...ctx.request, status: error.status }
  await error.record({ ...ctx, request, idempotency: null })
}

/** Verbs throw only refusals that are recorded with a `Context`. */
const isRefusal = (error: unknown): error is Refusal<Context> => error instanceof Refusal
