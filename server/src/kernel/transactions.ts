import { setTimeout } from 'node:timers/promises'
import type { Transaction } from '../database/database.ts'
import { type Context, type Ledger, nowIn, type WriteContext } from './context.ts'
import { invalid, tellRefusal } from './errors.ts'
import { commitLedger, openLedger } from './ledger.ts'
import { awakeOf } from './outbox.ts'
import type { Signal } from './signals.ts'
import { lanes } from './turns.ts'

const inLane = lanes(200)

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
  const commit = ctx.rehearsal ? database.rehearsal : database.sharedTransaction
  const attempt = () => commit((tx) => withLedger(ctx, tx, work))
  const { result, ledger } = await inLane(ctx.organization.id, () => untilWon(attempt)).catch(
    async (error: unknown) => {
      await tellRefusal(ctx, error)
      throw error
    },
  )
  if (ctx.rehearsal) return result
  if (touchesCredentials(ledger)) forgetCredentials(ctx)
  if (ledger.events.length > 0) signals.tell(signalOf(ctx, ledger))
  return result
}

const mostAttempts = 10

async function untilWon<T>(attempt: () => Promise<T>): Promise<T> {
  for (let lost = 1; lost < mostAttempts; lost += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLostRace(error)) throw error
      await setTimeout(Math.random() * 2 ** lost)
    }
  }
  return attempt()
}

const lostRaceCodes = new Set(['40001', '40P01'])

/** Another process has written in the organization since this one read its head. */
function isLostRace(error: unknown): boolean {
  const { code = '', constraint } = error as { code?: string; constraint?: string }
  return constraint === 'audit_logs_pkey' || lostRaceCodes.has(code)
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
  commitLedger(inside, ledger, result)
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
})

const touchesCredentials = (ledger: Ledger) =>
  ledger.records.some(({ action }) => /^(auth|member|organization|api_key)\./.test(String(action)))

function forgetCredentials({ organization, services }: Context): void {
  services.sessions.forget(organization.id)
  services.apiKeys.forget(organization.id)
}

function begin(ctx: Context, tx: Transaction): WriteContext {
  const ledger = openLedger(ctx, tx)
  // Whoever needs it awaits it; the work may end before anybody has.
  ledger.catch(() => {})
  const reader = {
    // Most changes build no query of their own, so its builder is made for those that do.
    get kysely() {
      return tx.kysely as unknown as Context['db']
    },
    query: tx.query,
  }
  return {
    ...ctx,
    get db() {
      return reader.kysely
    },
    reader,
    tx,
    now: nowIn(ctx),
    ledger,
    added: {},
  }
}

function isWriting(ctx: Context): ctx is WriteContext {
  return 'tx' in ctx
}
