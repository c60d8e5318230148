import type { Type } from 'typebox'
import { checkMayUsePassword } from '../../../identity/enforced-sso.ts'
import { networkOf } from '../../../identity/logins/networks.ts'
import { throttled } from '../../../identity/logins/throttled.ts'
import { audited } from '../../../kernel/change.ts'
import {
  type BareContext,
  type Context,
  nowText,
  type Services,
  type WriteContext,
} from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { privateCounter } from '../../../limits/counters/private-counter.ts'
import { notFound, Problem } from '../../../problems/problem.ts'
import { contextOf, type User, userAt } from '../accounts.ts'
import { type LoggedIn, openSession, type SsoLogin } from '../login.ts'
import { ownUser } from '../sessions.ts'
import { hashesOf, hashOfTyped, newCode, shownCode } from './code.ts'
import type { ClaimedLogin, LoginCode, LoginOfCode } from './schema.ts'
import { answerCode, findCode, type StoredCode, storeCode, useCode } from './store.ts'

const lifetimeMs = 10 * 60_000
const intervalSeconds = 2

/** New codes, and unknown secrets, of one address. */
const ofAddress = { limit: 30, seconds: 60 }
/** Codes that a person mistypes. A code has 34 bits, and gives nothing without its secret. */
const ofPerson = { limit: 10, seconds: 600 }

type Limit = { name: string; limit: number; seconds: number; key: string }

/** Counts when asked to; refuses at the limit. */
async function limited(services: Services, { name, limit, seconds, key }: Limit) {
  const counter = privateCounter(services, { name, seconds })
  const { used, msLeft } = await counter.look(key)
  if (used >= limit) throw throttled(msLeft)
  return { count: () => counter.take(key) }
}

const addressLimit = (ctx: BareContext, name: string): Limit => ({
  ...ofAddress,
  name,
  key: ctx.request?.ip ?? '',
})

/** Begins the login of a program. */
export async function beginLoginCode(ctx: BareContext): Promise<Type.Static<typeof LoginCode>> {
  const { services, request } = ctx
  const { count } = await limited(services, addressLimit(ctx, 'login-codes'))
  await count()
  const made = newCode()
  const created_at = nowText(services)
  const expires_at = new Date(Date.parse(created_at) + lifetimeMs).toISOString()
  const by = { ip: request?.ip ?? null, user_agent: request?.user_agent ?? null }
  await storeCode(services, made, { ...by, created_at, expires_at })
  return {
    code: shownCode(made.code),
    secret: made.secret,
    confirm_url: `${services.config.publicUrl}/console/device`,
    interval_seconds: intervalSeconds,
    expires_at,
  }
}

const over = () =>
  new Problem('link_expired', 'The code was used or has ended: begin the login again.')

/** Opens the session once its code is confirmed. */
export async function claimLoginCode(
  ctx: BareContext,
  { secret }: { secret: string },
): Promise<Type.Static<typeof ClaimedLogin>> {
  const { services } = ctx
  const { count } = await limited(services, addressLimit(ctx, 'login-code-secrets'))
  const { code_hash, secret_hash } = hashesOf(secret)
  const row = await findCode(ctx.reader, code_hash)
  if (row?.secret_hash !== secret_hash) {
    await count()
    throw notFound()
  }
  if (row.used_at !== null || row.expires_at <= nowText(services)) throw over()
  if (row.refused) return { status: 'refused', login: null }
  if (row.session_id === null) return { status: 'waiting', login: null }
  return { status: 'confirmed', login: await openConfirmed(ctx, row) }
}

type ConfirmingSession = {
  sso_issuer: string | null
  sso_session: string | null
  authenticated_at: string | null
  expires_at: string
}

const sessionSql = `
  select sso_issuer, sso_session, authenticated_at, expires_at from sessions
  where organization_id = $1 and id = $2 and ended_at is null and expires_at > $3`

/** Opens nothing where the session that confirmed it has ended, as by a new password. */
async function openConfirmed(bare: BareContext, row: StoredCode): Promise<LoggedIn> {
  const owner = { organizationId: row.organization_id ?? '', userId: row.user_id ?? '' }
  const user = await userAt(bare, owner, networkOf(bare.request?.ip ?? ''))
  if (!user || user.disabled) throw over()
  return inTransaction(contextOf(bare, user), (ctx) => use(ctx, user, row))
}

/** An organization has one writer: the session does not end meanwhile. */
async function use(ctx: WriteContext, user: User, row: StoredCode): Promise<LoggedIn> {
  const now = nowText(ctx.services)
  const statement = tenantQuery(ctx, sessionSql, row.session_id, now)
  const [session] = await ctx.tx.query<ConfirmingSession>(statement)
  if (!session || !(await useCode(ctx.tx, row.code_hash, now))) throw over()
  const sso = ssoOf(session)
  if (!sso) await checkMayUsePassword(ctx.reader, user)
  return openSession(ctx, user, sso)
}

const ssoOf = (session: ConfirmingSession): SsoLogin | null =>
  session.sso_issuer === null
    ? null
    : {
        issuer: session.sso_issuer,
        session: session.sso_session,
        authenticatedAt: session.authenticated_at,
        // A login by a provider is not renewed without the provider.
        endsAt: session.expires_at,
      }

/** The program that waits to be logged in by a code. */
export async function getLoginCode(
  ctx: Context,
  { code }: { code: string },
): Promise<Type.Static<typeof LoginOfCode>> {
  const row = await waiting(ctx, code)
  if (!row) return { waiting: null }
  const { ip, user_agent, created_at, expires_at } = row
  return { waiting: { program: user_agent, ip, created_at, expires_at } }
}

async function waiting(ctx: Context, code: string): Promise<StoredCode | null> {
  if (code === '') return null
  const { services, actor } = ctx
  const key = `${ctx.organization.id} ${actor.id}`
  const { count } = await limited(services, { ...ofPerson, name: 'typed-login-codes', key })
  const row = await findCode(ctx.wholeReader, hashOfTyped(code))
  if (row && row.session_id === null && row.expires_at > nowText(services)) return row
  await count()
  return null
}

const noCode = () =>
  new Problem('not_found', 'No program waits for this code. Codes end after 10 minutes.')

type Answered = { code: string; refused: boolean }

/** Lets a program in as oneself, or keeps it out. */
export async function answerLoginCode(ctx: Context, { code, refused }: Answered): Promise<void> {
  const row = await waiting(ctx, code)
  if (!row) throw noCode()
  const action = refused ? 'auth.login_code_refused' : 'auth.login_code_confirmed'
  const answer = {
    organizationId: ctx.organization.id,
    userId: String(ctx.actor.id),
    sessionId: String(ctx.sessionId),
    refused,
  }
  await audited(ctx, { action, resource: ownUser(ctx) }, async (ctx) => {
    const now = nowText(ctx.services)
    if (!(await answerCode(ctx.tx, row.code_hash, { ...answer, now }))) throw noCode()
  })
}
