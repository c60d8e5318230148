import type { Transaction } from '../database/database.ts'
import { dropPastPartitions } from '../database/partitions.ts'
import { Problem } from '../problems/problem.ts'
import { type Context, type Ledger, nowText, type Services, type WriteContext } from './context.ts'

export type StoredReply = { status: number; body: unknown }

/** Thrown out of a transaction that has nothing to do: the request was answered before. */
export class Replay extends Error {
  readonly reply: StoredReply

  constructor(reply: StoredReply) {
    super('answered before')
    this.reply = reply
  }
}

const idempotencyLifetimeMs = 24 * 60 * 60 * 1000

/** What is stored under a request's key. */
type Stored = {
  fingerprint: string
  status: number
  body: string | null
  /** Of the event that tells the reply's object, when one does. */
  event_sequence: number | null
}

// The upper bound spares the partitions that are made ahead.
const storedSql = `
  select fingerprint, status, body, event_sequence from idempotency_keys
  where organization_id = $1 and scope = $2 and created_at > $3 and created_at < $4
  order by created_at desc limit 1`

/** Ends the work on a request that was answered before, or whose key belongs to another. */
export async function throwIfAnswered(ctx: Context, tx: Transaction): Promise<void> {
  const { idempotency, organization, services } = ctx
  if (!idempotency) return
  const now = services.clock.now().getTime()
  const span = [now - idempotencyLifetimeMs, now + mostAheadMs].map(timeText)
  const parameters = [organization.id, idempotency.scope, ...span]
  const [stored] = await tx.query<Stored>({ sql: storedSql, parameters })
  if (!stored) return
  if (stored.fingerprint !== idempotency.fingerprint) {
    const detail = 'This Idempotency-Key was used before with another body.'
    throw new Problem('idempotency_key_reused', detail, { faults: [keyReused] })
  }
  if (stored.body === null) {
    throw new Replay({ status: stored.status, body: await objectOf(ctx, tx, stored) })
  }
  const text = services.cipher.open(stored.body, purposeOf(idempotency.scope))
  throw new Replay({ status: stored.status, body: JSON.parse(text) })
}

/** Clocks of replicas differ by less. */
const mostAheadMs = 60 * 60 * 1000

const timeText = (ms: number): string => new Date(ms).toISOString()

const eventSql = 'select body from events where organization_id = $1 and sequence = $2'

async function objectOf(
  { organization }: Context,
  tx: Transaction,
  { event_sequence }: Stored,
): Promise<unknown> {
  if (event_sequence === null) return null
  const parameters = [organization.id, event_sequence]
  const [event] = await tx.query<{ body: string }>({ sql: eventSql, parameters })
  return event ? JSON.parse(event.body).data.object : null
}

/** Replies hold what columns elsewhere seal, so they are sealed as well. */
const purposeOf = (scope: string) => `idempotency_keys.body ${scope}`

const keyReused = {
  header: 'Idempotency-Key',
  code: 'invalid_format' as const,
  message: 'was used for a request with another body',
}

const storeSql = `
  insert into idempotency_keys
    (organization_id, scope, fingerprint, status, event_sequence, body, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)`

/**
 * Commits the reply with its effect. Most replies are the object that the event tells, and are
 * stored there. What a change returns is free of secrets by its type.
 */
export function rememberReply(
  ctx: WriteContext,
  { sequenceByObject: told }: Ledger,
  result: unknown,
): void {
  const { idempotency, request, organization, services } = ctx
  if (!idempotency || !request) return
  const { scope, fingerprint } = idempotency
  const sequence = told.get(result) ?? null
  const isElsewhere = result === undefined || sequence !== null
  const body = isElsewhere ? null : services.cipher.seal(JSON.stringify(result), purposeOf(scope))
  const parameters = [
    organization.id,
    scope,
    fingerprint,
    request.status,
    sequence,
    body,
    nowText(services),
  ]
  ctx.tx.send({ sql: storeSql, parameters })
}

/** Drops keys past their lifetime, a day of them at a time. */
export const purgeIdempotencyKeys = (services: Services, signal: AbortSignal) =>
  dropPastPartitions(services, { table: 'idempotency_keys', keptMs: idempotencyLifetimeMs }, signal)
