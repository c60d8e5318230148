import { sql } from 'kysely'
import type { Type } from 'typebox'
import type { ReplacedToken } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { isStillValid, type Times, thisProcess } from '../../identity/session-states.ts'
import { expiryOf } from '../../identity/tokens.ts'
import { audited } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { oneOf, update } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { notFound, Problem } from '../../problems/problem.ts'
import { byId, timeRange } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { newId } from '../../values/ids.ts'
import { identityOf, organizationOf, signedToken, type TokenFacts } from './login.ts'
import { sessionIds } from './resource.ts'
import type { Me, Refreshed, Session } from './schema.ts'

/** How long a replaced token stays valid. */
const graceMs = 60_000
/** Clients that refresh more often than that get the newest token again. */
const maxReplaced = 30

export const ownUser = (ctx: Context) => ({ type: 'user', id: ctx.actor.id, name: ctx.actor.name })

const ownSessionId = (ctx: Context) => String(ctx.sessionId)

export async function me(ctx: Context): Promise<Type.Static<typeof Me>> {
  if (ctx.sessionId === null) return apiKeyOf(ctx)
  const [user, session] = await Promise.all([
    oneOf(ctx, 'users', String(ctx.actor.id)),
    oneOf(ctx, 'sessions', ctx.sessionId),
  ])
  const { token_type: _, ...identity } = identityOf(ctx, ctx.sessionId, user)
  const single_sign_on = session.sso_issuer !== null
  const isGuarded = user.second_factor || single_sign_on
  const must_set_up_factor = ctx.organization.requireSecondFactor && !isGuarded
  return { ...identity, api_key: null, scope: ctx.scope, must_set_up_factor, single_sign_on }
}

async function apiKeyOf(ctx: Context): Promise<Type.Static<typeof Me>> {
  const row = await oneOf(ctx, 'api_keys', String(ctx.actor.id))
  const { id, name, role, expires_at } = row
  const organization = organizationOf(ctx)
  return {
    session_id: null,
    user: null,
    api_key: { id, name, role, expires_at },
    organization,
    scope: ctx.scope,
    must_set_up_factor: false,
    single_sign_on: false,
  }
}

type Successor = TokenFacts | 'reused'

/**
 * Issues a new token for the session. Refreshing with a token replaced too long ago counts as theft
 * and ends the session.
 */
export async function refresh(ctx: Context): Promise<Type.Static<typeof Refreshed>> {
  const user = await oneOf(ctx, 'users', String(ctx.actor.id))
  const rotated: { successor: Successor } = { successor: 'reused' }
  const entry = () => ({
    action: rotated.successor === 'reused' ? 'auth.refresh_reuse_detected' : 'auth.refreshed',
    outcome: rotated.successor === 'reused' ? ('denied' as const) : ('success' as const),
    resource: ownUser(ctx),
  })
  const reply = await audited(ctx, entry, async (ctx) => {
    const [session, times] = await Promise.all([
      oneOf(ctx, 'sessions', ownSessionId(ctx)),
      timesOf(ctx),
    ])
    const successor = rotateToken(ctx, session, times)
    rotated.successor = successor
    const expires_at = successor === 'reused' ? ctx.now : expiryOf(successor.issuedAt)
    return { token: null, expires_at, ...identityOf(ctx, session.id, user) }
  })
  const { successor } = rotated
  if (successor === 'reused') {
    throw new Problem(
      'token_revoked',
      'The token was already replaced; its session has been ended.',
    )
  }
  return { ...reply, ...(await signedToken(ctx, successor)) }
}

async function timesOf({ services, tx }: WriteContext): Promise<Times> {
  const sql = 'select clock_timestamp() as now'
  const [row] = await tx.query<{ now: string }>({ sql, parameters: [] })
  return { now: nowText(services), databaseNow: String(row?.now) }
}

/** Concurrent refreshes with one token get the same successor, so a session never forks. */
function rotateToken(ctx: WriteContext, session: Row<'sessions'>, times: Times): Successor {
  const { now } = times
  const replaced = session.replaced_tokens.filter((token) => isStillValid(token, times))
  const isCurrent = session.token_id === ctx.tokenId
  const isRetry = replaced.some(({ id }) => id === ctx.tokenId)
  if (session.ended_at !== null || (!isCurrent && !isRetry)) {
    update(ctx, 'sessions', { id: session.id, ended_at: now })
    return 'reused'
  }
  if (isRetry || replaced.length >= maxReplaced) {
    return tokenFactsOf(session.id, session.token_id, session.token_issued_at)
  }
  const tokenId = newId(sessionIds)
  update(ctx, 'sessions', {
    id: session.id,
    token_id: tokenId,
    token_issued_at: now,
    replaced_tokens: JSON.stringify([...replaced, replacedNow(session.token_id, times)]),
    last_refreshed_at: now,
  })
  return tokenFactsOf(session.id, tokenId, now)
}

const replacedNow = (id: string, { now, databaseNow }: Times): ReplacedToken => ({
  id,
  until: graceAfter(databaseNow),
  process: thisProcess,
  until_there: graceAfter(now),
})

const graceAfter = (time: string) => new Date(Date.parse(time) + graceMs).toISOString()

const tokenFactsOf = (sessionId: string, tokenId: string, issuedAt: string): TokenFacts => ({
  sessionId,
  tokenId,
  issuedAt: Math.floor(Date.parse(issuedAt) / 1000),
})

/** Ends the current session, or with `all` every session of the user. */
export const logout = (ctx: Context, { all }: { all: boolean }): Promise<void> =>
  audited(ctx, { action: 'auth.logged_out', resource: ownUser(ctx) }, async (ctx) =>
    endSessions(ctx, all ? {} : { only: ownSessionId(ctx) }),
  )

type SessionSelection = { only?: string | null; allBut?: string | null }

const endSql = `
  update sessions set ended_at = $3
  where organization_id = $1 and user_id = $2 and ended_at is null
    and ($4::text is null or id = $4) and ($5::text is null or id <> $5)`

/** Ends sessions of the current user. */
export function endSessions(
  ctx: WriteContext,
  { only = null, allBut = null }: SessionSelection,
): void {
  const now = nowText(ctx.services)
  ctx.tx.send(tenantQuery(ctx, endSql, ctx.actor.id, now, only, allBut))
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
  filters: { ...byId, ...timeRange('created', 'created_at') },
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

/** Ends one of the user's own sessions; another user's is 404. */
export async function endSession(ctx: Context, id: string): Promise<void> {
  const entry = { action: 'auth.logged_out', resource: ownUser(ctx) }
  await audited(ctx, entry, async (ctx) => {
    const session = await oneOf(ctx, 'sessions', id)
    if (session.user_id !== ctx.actor.id || session.ended_at !== null) throw notFound()
    if (ctx.dryRun) ctx.dryRun.object = toSession(ctx, session)
    endSessions(ctx, { only: id })
  })
}
