import type { WriteContext } from './context.ts'
import { Problem } from './errors.ts'

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

const findSql = `
  select fingerprint, status, body from idempotency_keys
  where organization_id = $1 and scope = $2 and created_at > $3`

type StoredKey = { fingerprint: string; status: number; body: string | null }

/** The reply that the same request got before. Runs under the organization's lock. */
export async function replayOf(ctx: WriteContext): Promise<StoredReply | undefined> {
  if (!ctx.idempotency) return undefined
  const { scope, fingerprint } = ctx.idempotency
  const oldest = new Date(Date.parse(ctx.now) - idempotencyLifetimeMs).toISOString()
  const [stored] = await ctx.reader.query<StoredKey>({
    sql: findSql,
    parameters: [ctx.organization.id, scope, oldest],
  })
  if (!stored) return undefined
  if (stored.fingerprint !== fingerprint) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another body.',
      { faults: [keyReused] },
    )
  }
  return { status: stored.status, body: stored.body === null ? null : JSON.parse(stored.body) }
}

const keyReused = {
  header: 'Idempotency-Key',
  code: 'invalid_format' as const,
  message: 'was used for a request with another body',
}

const storeSql = `
  insert into idempotency_keys (organization_id, scope, fingerprint, status, body, created_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (organization_id, scope) do update set fingerprint = excluded.fingerprint,
    status = excluded.status, body = excluded.body, created_at = excluded.created_at`

/** Commits the reply with its effect. What a change returns is free of secrets by its type. */
export function rememberReply(ctx: WriteContext, result: unknown): void {
  if (!ctx.idempotency || !ctx.request) return
  const { scope, fingerprint } = ctx.idempotency
  const body = result === undefined ? null : JSON.stringify(result)
  ctx.tx.send({
    sql: storeSql,
    parameters: [ctx.organization.id, scope, fingerprint, ctx.request.status, body, ctx.now],
  })
}
