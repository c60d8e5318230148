import type { Insertable } from 'kysely'
import { type SealedTable, sealedFor } from '../crypto/sealed-table.ts'
import type { Transaction } from '../database/database.ts'
import { isSeenWhole } from '../database/scope/seen.ts'
import { insertStatement } from '../database/tables/statements.ts'
import type { Tables } from '../database/tables/types.ts'
import { dropPastPartitions } from '../database/upkeep/partitions.ts'
import { notFound, Problem } from '../problems/problem.ts'
import { type Context, type Ledger, nowText, type Services, type WriteContext } from './context.ts'
import { tenantQuery } from './tenant-query.ts'

export type StoredReply = { status: number; body: unknown }

/** Ends a transaction with nothing to do, because the request was answered before. */
export class Replay extends Error {
  readonly reply: StoredReply

  constructor(reply: StoredReply) {
    super('answered before')
    this.reply = reply
  }
}

const idempotencyLifetimeMs = 24 * 60 * 60 * 1000

/** A stored idempotency key. */
type Stored = {
  fingerprint: string
  status: number
  body: string | null
  /** The event that carries the reply's object, if there is one. */
  event_sequence: number | null
}

// The upper bound excludes partitions created ahead of time.
const storedSql = `
  select fingerprint, status, body, event_sequence from idempotency_keys
  where organization_id = $1 and scope = $2 and created_at > $3 and created_at < $4
  order by created_at desc limit 1`

/** Throws `Replay` for a request answered before, and 422 for a key used with other content. */
export async function throwIfAnswered(ctx: Context, tx: Transaction): Promise<void> {
  const { idempotency, services } = ctx
  if (!idempotency) return
  const now = services.clock.now().getTime()
  const span = [now - idempotencyLifetimeMs, now + maxClockSkewMs].map(timeText)
  const statement = tenantQuery(ctx, storedSql, idempotency.scope, ...span)
  const [stored] = await tx.query<Stored>(statement)
  if (!stored) return
  if (!idempotency.isSame(stored.fingerprint)) {
    const detail = 'This Idempotency-Key was used before with another body or other parameters.'
    throw new Problem('idempotency_key_reused', detail, { faults: [keyReused] })
  }
  const text =
    stored.body === null
      ? await objectOf(ctx, tx, stored)
      : services.crypto.cipher.open(stored.body, purposeOf(idempotency.scope))
  if (!(await isSeenWhole(ctx, text))) throw notFound()
  throw new Replay({ status: stored.status, body: JSON.parse(text) })
}

/** How far the clocks of replicas may differ. */
const maxClockSkewMs = 60 * 60 * 1000

const timeText = (ms: number): string => new Date(ms).toISOString()

const eventSql = 'select body from events where organization_id = $1 and sequence = $2'

async function objectOf(
  ctx: Context,
  tx: Transaction,
  { event_sequence }: Stored,
): Promise<string> {
  if (event_sequence === null) return 'null'
  const [event] = await tx.query<{ body: string }>(tenantQuery(ctx, eventSql, event_sequence))
  return event ? JSON.stringify(JSON.parse(event.body).data.object) : 'null'
}

/** Replies contain data that is encrypted in other columns, so they are encrypted too. */
const purposeOf = (scope: string) => `idempotency_keys.body ${scope}`

export const sealedReplies: SealedTable = {
  table: 'idempotency_keys',
  key: { organization_id: 'text', scope: 'text', created_at: 'timestamptz' },
  columns: { body: sealedFor(({ scope }) => purposeOf(String(scope))) },
  // No column, as every keyed request would pay for it.
  isUnder: 't.body is not null and sealed_under(t.body) = $1',
}

const keyReused = {
  header: 'Idempotency-Key',
  code: 'invalid_format' as const,
  message: 'was used for a request with another body or other parameters',
}

/**
 * Commits the reply with its effect. Most replies are the object of the event, and are stored only
 * there. The result of a change contains no secrets, by its type.
 */
export function rememberReply(ctx: WriteContext, { eventByObject }: Ledger, result: unknown): void {
  const { idempotency, request, services } = ctx
  if (!idempotency || !request) return
  const { scope, fingerprint } = idempotency
  const isEmpty = result === undefined || request.status === 204
  const sequence = isEmpty ? null : (eventByObject.get(result)?.sequence ?? null)
  const needsNoBody = isEmpty || sequence !== null
  const body = needsNoBody
    ? null
    : services.crypto.cipher.seal(JSON.stringify(result), purposeOf(scope))
  const row: Insertable<Tables['idempotency_keys']> = {
    organization_id: ctx.organization.id,
    scope,
    fingerprint,
    status: request.status,
    event_sequence: sequence,
    body,
    created_at: nowText(services),
  }
  ctx.tx.send(insertStatement('idempotency_keys', row))
}

/** Drops expired keys, one daily partition at a time. */
export const purgeIdempotencyKeys = (services: Services, signal: AbortSignal) =>
  dropPastPartitions(services, { table: 'idempotency_keys', keptMs: idempotencyLifetimeMs }, signal)
