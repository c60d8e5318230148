import { type Context, type Ledger, nowText, type Services, type WriteContext } from './context.ts'
import { Problem } from './errors.ts'
import { purge } from './purge.ts'

export type StoredReply = { status: number; body: unknown }

/** Thrown out of a transaction that has nothing to do: the request was answered before. */
export class Replay extends Error {
  readonly reply: StoredReply

  constructor(reply: StoredReply) {
    super('answered before')
    this.reply = reply
  }
}

export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000

/** What is stored under a request's key, if anything is. */
export type KeyState = {
  fingerprint: string | null
  status: number | null
  body: string | null
  /** The event that tells the reply's object, when one does. */
  told: string | null
}

export const oldestKey = (now: string): string =>
  new Date(Date.parse(now) - idempotencyLifetimeMs).toISOString()

/** Ends the work on a request that was answered before, or whose key belongs to another. */
export function throwIfAnswered({ idempotency, services }: Context, stored: KeyState): void {
  if (!idempotency || stored.fingerprint === null || stored.status === null) return
  if (stored.fingerprint !== idempotency.fingerprint) {
    const detail = 'This Idempotency-Key was used before with another body.'
    throw new Problem('idempotency_key_reused', detail, { faults: [keyReused] })
  }
  if (stored.body === null) {
    throw new Replay({ status: stored.status, body: objectOf(stored.told) })
  }
  const text = services.cipher.open(stored.body, purposeOf(idempotency.scope))
  throw new Replay({ status: stored.status, body: JSON.parse(text) })
}

const objectOf = (event: string | null): unknown =>
  event === null ? null : JSON.parse(event).data.object

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
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (organization_id, scope) do update set fingerprint = excluded.fingerprint,
    status = excluded.status, event_sequence = excluded.event_sequence, body = excluded.body,
    created_at = excluded.created_at`

/**
 * Commits the reply with its effect. Most replies are the object that the event tells, and are
 * stored there. What a change returns is free of secrets by its type.
 */
export function rememberReply(ctx: WriteContext, { told }: Ledger, result: unknown): void {
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

// Locked rows are skipped: a request that renews its key right now wins.
const purgeSql = `
  delete from idempotency_keys where ctid = any(array(
    select ctid from idempotency_keys where created_at < $1
    order by created_at limit $2 for update skip locked))
  returning 1`

/** Deletes keys past their lifetime. */
export const purgeIdempotencyKeys = ({ database, clock }: Services, signal: AbortSignal) =>
  purge(
    database,
    { sql: purgeSql, oldest: new Date(clock.now().getTime() - idempotencyLifetimeMs) },
    signal,
  )
