import { setTimeout } from 'node:timers/promises'
import { keyedSemaphore } from '../concurrency/semaphore.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { sqlErrorOf } from '../database/driver/sql-error.ts'
import type { Query } from '../database/tables/kysely.ts'
import { notification } from '../database/transactions/notifications.ts'
import { isWithoutPartition, makePartitionsAhead } from '../database/upkeep/partitions.ts'
import { throwIfLate } from '../limits/deadlines.ts'
import { invalid, Refusal } from '../problems/problem.ts'
import { credentialsText } from '../signals/codec.ts'
import type { Signal } from '../signals/signals.ts'
import {
  type Context,
  type DryRun,
  type Ledger,
  nowIn,
  type Services,
  type WriteContext,
} from './context.ts'
import { commitLedger, isHeadConflict, lockHeadFirst, openLedger } from './ledger.ts'
import { awakeOf } from './outbox.ts'
import { reportWarning, warnOfStorage, withMeasuredStorage } from './storage.ts'

const oneWriter = keyedSemaphore(200)

/**
 * Joins the context's transaction, or opens one. An organization has one writer at a time: within the
 * process by a semaphore, across processes by its audit sequence, which only one can take. The loser
 * of that race retries.
 */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  const { database, signals } = ctx.services
  const attemptOnce = () => {
    // A request that waited too long for its turn has been answered already.
    throwIfLate(ctx.timed)
    const run = (tx: Transaction) => withLedger(ctx, tx, work)
    if (!ctx.dryRun) return database.sharedTransaction(ctx.organization.id, run)
    resetDryRun(ctx.dryRun)
    return database.dryRun(run)
  }
  const attempt = () => withMeasuredStorage(ctx, attemptOnce)
  const { result, ledger } = await oneWriter(ctx.organization.id, () =>
    retryLostRaces(ctx.services, attempt),
  ).catch(async (error: unknown) => {
    await recordRefusal(ctx, error)
    throw error
  })
  if (ctx.dryRun) return result
  reportWarning(ctx, ledger)
  const signal = signalOf(ctx, ledger)
  if (signal.touchesCredentials || ledger.events.length > 0) signals.emit(signal)
  return result
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
export async function withLedger<T>(
  ctx: Context,
  tx: Transaction,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<{ result: T; ledger: Ledger }> {
  const inside = begin(ctx, tx)
  const result = await work(inside).catch(async (error: unknown) => {
    // A replay takes precedence over what the work would say today.
    await inside.ledger
    throw error
  })
  const ledger = await inside.ledger
  if (ctx.faults.length > 0) throw invalid([...ctx.faults])
  throwIfLate(ctx.timed)
  await warnOfStorage(inside, ledger)
  commitLedger(inside, ledger, result)
  if (touchesCredentials(ledger)) tx.send(notification(credentialsText(ctx.organization.id)))
  return { result, ledger }
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

function begin(ctx: Context, tx: Transaction): WriteContext {
  lockHeadFirst(ctx, tx)
  const ledger = openLedger(ctx, tx)
  // Awaited later: without this, work that fails first leaves an unhandled rejection.
  ledger.catch(() => {})
  return {
    ...ctx,
    reader: readerIn(tx, tx.query),
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
