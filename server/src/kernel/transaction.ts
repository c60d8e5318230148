import { setTimeout } from 'node:timers/promises'
import { keyedSemaphore } from '../concurrency/semaphore.ts'
import type { Reader, Transaction } from '../database/database.ts'
import type { Query } from '../database/kysely.ts'
import { notification } from '../database/notifications.ts'
import { isWithoutPartition, makePartitionsAhead } from '../database/partitions.ts'
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
import { commitLedger, hasMovedOn, openLedger } from './ledger.ts'
import { awakeOf } from './outbox.ts'

const oneWriter = keyedSemaphore(200)

/**
 * Joins the transaction that the context is in, or opens one. An organization has one writer at a
 * time: in this process by its lane; between processes by the sequence of its audit log, which two
 * cannot both take. Whoever loses that race begins again.
 */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  const { database, signals } = ctx.services
  const attempt = () => {
    // Who has waited in line for too long was answered already.
    throwIfLate(ctx.timed)
    const recorded = (tx: Transaction) => withLedger(ctx, tx, work)
    if (!ctx.dryRun) return database.sharedTransaction(ctx.organization.id, recorded)
    resetDryRun(ctx.dryRun)
    return database.dryRun(recorded)
  }
  const { result, ledger } = await oneWriter(ctx.organization.id, () =>
    retryLostRaces(ctx.services, attempt),
  ).catch(async (error: unknown) => {
    await tellRefusal(ctx, error)
    throw error
  })
  if (ctx.dryRun) return result
  const signal = signalOf(ctx, ledger)
  if (signal.touchesCredentials || ledger.events.length > 0) signals.emit(signal)
  return result
}

/** What an attempt has found that lost its race is no more than what it has written. */
function resetDryRun(dryRun: DryRun): void {
  dryRun.object = undefined
  dryRun.warnings.length = 0
}

const mostAttempts = 10

/** Begins again when another has won, or when time went on beyond the partitions made ahead. */
export async function retryLostRaces<T>(services: Services, attempt: () => Promise<T>): Promise<T> {
  for (let lost = 1; lost < mostAttempts; lost += 1) {
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
  const { code = '', table = '' } = error as { code?: string; table?: string }
  // A request that changes nothing, answered by two at the same millisecond.
  const isAnswered = code === '23505' && table.startsWith('idempotency_keys')
  return hasMovedOn(error) || isAnswered || lostRaceCodes.has(code)
}

/** Runs `work` in a transaction that is open already: how an organization itself comes to be. */
export async function withLedger<T>(
  ctx: Context,
  tx: Transaction,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<{ result: T; ledger: Ledger }> {
  const inside = begin(ctx, tx)
  const result = await work(inside).catch(async (error: unknown) => {
    // A request that was answered before is a replay, whatever its work would say today.
    await inside.ledger
    throw error
  })
  const ledger = await inside.ledger
  if (ctx.faults.length > 0) throw invalid([...ctx.faults])
  throwIfLate(ctx.timed)
  commitLedger(inside, ledger, result)
  if (touchesCredentials(ledger)) tx.send(notification(credentialsText(ctx.organization.id)))
  return { result, ledger }
}

/** For checks that come before a request's transaction, and would refuse what succeeded before. */
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

/** What is new was not known: a login makes a session, and changes none. */
const credentialActions = /^(auth\.(?!login_)|(member|organization|api_key)\.(?!created))/

const touchesCredentials = (ledger: Ledger) =>
  ledger.records.some(({ action }) => credentialActions.test(String(action)))

/** Reads within a transaction. */
export const readerIn = ({ kysely }: Transaction, query: Query): Reader => ({ kysely, query })

function begin(ctx: Context, tx: Transaction): WriteContext {
  const ledger = openLedger(ctx, tx)
  // Whoever needs it awaits it; the work may end before anybody has.
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

/** What is only tried out, or has other faults as well, is told to nobody. */
export async function tellRefusal(ctx: Context, error: unknown): Promise<void> {
  if (!isRefusal(error) || ctx.dryRun || ctx.faults.length > 0) return
  const request = ctx.request && { ...ctx.request, status: error.status }
  await error.record({ ...ctx, request, idempotency: null })
}

/** Verbs throw refusals that are recorded with a context such as their own. */
const isRefusal = (error: unknown): error is Refusal<Context> => error instanceof Refusal
