import { randomBytes, randomUUID } from 'node:crypto'
import { throttled } from '../identity/logins/throttled.ts'
import { type Context, nowText, type Services, type WriteContext } from '../kernel/context.ts'
import { insert } from '../kernel/rows.ts'
import { tenantQuery } from '../kernel/tenant-query.ts'
import type { Counter } from '../limits/counters/counter.ts'
import { privateCounter } from '../limits/counters/private-counter.ts'
import { notFound, Problem } from '../problems/problem.ts'
import { sha256Hex } from '../values/canonical-json.ts'
import { linkTo } from './post.ts'

/** Links that work once: their secret is shown or mailed, and only its hash is stored. */
export type LinkKind = 'invitation' | 'password_reset'

const screens: Readonly<Record<LinkKind, string>> = { invitation: 'join', password_reset: 'reset' }

const secretBytes = 32

type Wanted = { readonly kind: LinkKind; readonly subjectId: string; readonly lifetimeMs: number }
export type NewLink = { readonly url: string; readonly expiresAt: string }

/** A new link, which ends the former ones to the same. */
export function newLink(ctx: WriteContext, { kind, subjectId, lifetimeMs }: Wanted): NewLink {
  endLinksOf(ctx, kind, subjectId)
  const secret = randomBytes(secretBytes).toString('base64url')
  // Links, as logins, use real time even in a sandbox.
  const now = nowText(ctx.services)
  const expiresAt = new Date(Date.parse(now) + lifetimeMs).toISOString()
  insert(ctx, 'account_links', {
    id: randomUUID(),
    kind,
    subject_id: subjectId,
    secret_hash: sha256Hex(secret),
    created_at: now,
    expires_at: expiresAt,
    ended_at: null,
  })
  return { url: linkTo(ctx.services, screens[kind], secret), expiresAt }
}

const endSql = `
  update account_links set ended_at = $4
  where organization_id = $1 and kind = $2 and subject_id = $3 and ended_at is null`

export function endLinksOf(ctx: WriteContext, kind: LinkKind, subjectId: string): void {
  ctx.tx.send(tenantQuery(ctx, endSql, kind, subjectId, nowText(ctx.services)))
}

const sinceSql = `
  select count(*)::integer as count from account_links
  where organization_id = $1 and kind = $2 and created_at > $3 and ($4::text is null or subject_id = $4)`

/** How many links of the kind, or to the subject, were made lately. */
export async function countLinks(
  ctx: Context,
  { kind, subjectId, withinMs }: { kind: LinkKind; subjectId?: string; withinMs: number },
): Promise<number> {
  const since = new Date(Date.parse(nowText(ctx.services)) - withinMs).toISOString()
  const statement = tenantQuery(ctx, sinceSql, kind, since, subjectId ?? null)
  const [row] = await ctx.reader.query<{ count: number }>(statement)
  return row?.count ?? 0
}

export type OpenedLink = {
  readonly organization_id: string
  readonly id: string
  readonly subject_id: string
}
type StoredLink = OpenedLink & { readonly expires_at: string; readonly ended_at: string | null }

const findSql = `
  select organization_id, id, subject_id, expires_at, ended_at from account_links
  where secret_hash = $1 and kind = $2`

/** Guesses from one address; a secret has 256 bits. */
const guesses = { limit: 30, seconds: 60 }

export const linkExpired = () =>
  new Problem('link_expired', 'The link was used, has ended, or was replaced by a newer one.')

/** The link of a secret; 404 for none, 410 for one that ended. */
export async function openedLink(
  services: Services,
  kind: LinkKind,
  { secret, address }: { secret: string; address: string },
): Promise<OpenedLink> {
  const counter = privateCounter(services, {
    name: 'links',
    seconds: guesses.seconds,
  })
  await refuseGuessing(counter, address)
  const { reader } = services.database
  const statement = { sql: findSql, parameters: [sha256Hex(secret), kind] }
  const [link] = await reader.query<StoredLink>(statement)
  if (!link) {
    await counter.take(address)
    throw notFound()
  }
  if (link.ended_at !== null || link.expires_at <= nowText(services)) throw linkExpired()
  return link
}

async function refuseGuessing(counter: Counter, address: string): Promise<void> {
  const { used, msLeft } = await counter.look(address)
  if (used >= guesses.limit) throw throttled(msLeft)
}

const stillOpenSql = `
  select id from account_links where organization_id = $1 and id = $2 and ended_at is null`
const spendSql = 'update account_links set ended_at = $3 where organization_id = $1 and id = $2'

/** Uses it up, in the change that it is for. An organization has one writer: none uses it twice. */
export async function spendLink(ctx: WriteContext, { id }: OpenedLink): Promise<void> {
  const [open] = await ctx.reader.query(tenantQuery(ctx, stillOpenSql, id))
  if (!open) throw linkExpired()
  ctx.tx.send(tenantQuery(ctx, spendSql, id, nowText(ctx.services)))
}
