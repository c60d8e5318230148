import { sql } from 'kysely'
import type { Type } from 'typebox'
import { audited } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { notFound, Problem } from '../../kernel/errors.ts'
import { timeRange } from '../../kernel/filters.ts'
import { newId } from '../../kernel/ids.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../kernel/pages.ts'
import { oneOf, type Row, update } from '../../kernel/rows.ts'
import { identityOf, signedToken, type TokenFacts } from './login.ts'
import type { Me, Refreshed, Session } from './schema.ts'

/** How long the token before the newest still works. */
const graceMs = 60_000

export const ownUser = (ctx: Context) => ({ type: 'user', id: ctx.actor.id, name: ctx.actor.name })

const ownSessionId = (ctx: Context) => String(ctx.sessionId)

export async function me(ctx: Context): Promise<Type.Static<typeof Me>> {
  const user = await oneOf(ctx, 'users', String(ctx.actor.id))
  const { token_type: _, ...identity } = identityOf(ctx, ownSessionId(ctx), user)
  return identity
}

type Successor = TokenFacts | 'reused'

/** A new token of the session; a token replaced long ago is taken as stolen, and ends it. */
export async function refresh(ctx: Context): Promise<Type.Static<typeof Refreshed>> {
  const user = await oneOf(ctx, 'users', String(ctx.actor.id))
  let successor: Successor = 'reused'
  const entry = () => ({
    action: successor === 'reused' ? 'auth.refresh_reuse_detected' : 'auth.refreshed',
    outcome: successor === 'reused' ? ('denied' as const) : ('success' as const),
    resource: ownUser(ctx),
  })
  const reply = await audited(ctx, entry, async (ctx) => {
    const session = await oneOf(ctx, 'sessions', ownSessionId(ctx))
    successor = succeed(ctx, session)
    return { token: null, expires_at: ctx.now, ...identityOf(ctx, session.id, user) }
  })
  // Assigned in the closure above, which the compiler does not follow.
  const facts = successor as Successor
  if (facts === 'reused') {
    throw new Problem('token_revoked', 'The token was replaced before: its session has been ended.')
  }
  return { ...reply, ...(await signedToken(ctx, facts)) }
}

/** Two refreshes at once with one token get the same successor, so no session has two. */
function succeed(ctx: WriteContext, session: Row<'sessions'>): Successor {
  const now = nowText(ctx.services)
  const isCurrent = session.token_id === ctx.tokenId
  const isGrace =
    session.previous_token_id === ctx.tokenId && (session.previous_token_until ?? '') > now
  if (session.ended_at !== null || (!isCurrent && !isGrace)) {
    update(ctx, 'sessions', { id: session.id, ended_at: now })
    return 'reused'
  }
  if (isGrace) return factsOf(session.id, session.token_id, session.token_issued_at)
  const tokenId = newId('session')
  update(ctx, 'sessions', {
    id: session.id,
    token_id: tokenId,
    token_issued_at: now,
    previous_token_id: session.token_id,
    previous_token_until: new Date(Date.parse(now) + graceMs).toISOString(),
    last_refreshed_at: now,
  })
  return factsOf(session.id, tokenId, now)
}

const factsOf = (sessionId: string, tokenId: string, issuedAt: string): TokenFacts => ({
  sessionId,
  tokenId,
  issuedAt: Math.floor(Date.parse(issuedAt) / 1000),
})

/** Ends the session of the request, or with `all` every session of the user. */
export const logout = (ctx: Context, { all }: { all: boolean }): Promise<void> =>
  audited(ctx, { action: 'auth.logged_out', resource: ownUser(ctx) }, async (ctx) =>
    endSessions(ctx, all ? {} : { only: ownSessionId(ctx) }),
  )

type Which = { only?: string; allBut?: string | null }

/** Ends sessions of the user who asks. */
export function endSessions(ctx: WriteContext, { only, allBut }: Which): void {
  const living = ctx.tx.kysely
    .updateTable('sessions')
    .set({ ended_at: nowText(ctx.services) })
    .where('organization_id', '=', ctx.organization.id)
    .where('user_id', '=', String(ctx.actor.id))
    .where('ended_at', 'is', null)
  const narrowed = only ? living.where('id', '=', only) : living
  ctx.tx.send((allBut ? narrowed.where('id', '<>', allBut) : narrowed).compile())
}

const ownLiving = (userId: string, now: string) =>
  sql<boolean>`user_id = ${userId} and ended_at is null and expires_at > ${now}`

export function listSessions(
  ctx: Context,
  query: Query,
): Promise<Page<Type.Static<typeof Session>>> {
  const list: ListShape<'sessions'> = {
    ...sessionList,
    standing: () => ownLiving(String(ctx.actor.id), nowText(ctx.services)),
  }
  return pageOf(ctx, { list, query, present: (row) => toSession(ctx, row) })
}

export const sessionList: ListShape<'sessions'> = {
  table: 'sessions',
  filters: timeRange('created', 'created_at'),
  sorts: ['created_at'],
}

const toSession = (ctx: Context, row: Row<'sessions'>): Type.Static<typeof Session> => ({
  id: row.id,
  current: row.id === ctx.sessionId,
  ip: row.ip,
  user_agent: row.user_agent,
  created_at: row.created_at,
  last_refreshed_at: row.last_refreshed_at,
  expires_at: row.expires_at,
})

/** Ends one of the user's own sessions; another user's is a plain 404. */
export async function endSession(ctx: Context, id: string): Promise<void> {
  const entry = { action: 'auth.logged_out', resource: ownUser(ctx) }
  await audited(ctx, entry, async (ctx) => {
    const session = await oneOf(ctx, 'sessions', id)
    if (session.user_id !== ctx.actor.id || session.ended_at !== null) throw notFound()
    if (ctx.rehearsal) ctx.rehearsal.object = toSession(ctx, session)
    endSessions(ctx, { only: id })
  })
}
