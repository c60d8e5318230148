import { findEmailOwner } from '../../../identity/email-directory.ts'
import type { Role } from '../../../identity/permissions.ts'
import { type Context, nowText, type WriteContext } from '../../../kernel/context.ts'
import { checkCap } from '../../../kernel/quotas.ts'
import { findOne } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { accountOf, maxEmailLength } from '../../../values/email.ts'
import { type LoggedIn, openSession } from '../../auth/login.ts'
import { addUser, setRole } from '../../members/members.ts'
import { cap as membersCap } from '../../members/resource.ts'
import { type StoredSso, storedDomains } from '../stored.ts'
import type { Attempt } from './attempt.ts'
import { roleIn } from './roles.ts'
import { domainIn } from './where.ts'

/** The checked claims about a person. */
export type Claims = Readonly<Record<string, unknown>> & {
  readonly issuer: string
  readonly sub: string
}

/** The person is who the provider says, and has no way in; `reason` is for the audit log. */
export class NotLetIn extends Error {
  readonly reason: string

  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

const noAccount = 'There is no account for you in this organization. Ask its owners.'

type SsoPerson = { id: string; email: string; name: string; role: Role; disabled: boolean }
type LoggingIn = { row: StoredSso; claims: Claims; attempt: Attempt }

/** Finds or makes the member, and opens a session: all of it, or nothing. */
export const logIn = (ctx: Context, { row, claims, attempt }: LoggingIn): Promise<LoggedIn> =>
  inTransaction(ctx, async (ctx) => {
    const person = (await linked(ctx, claims)) ?? (await byAddress(ctx, row, claims))
    if (person.disabled) throw new NotLetIn(noAccount, 'The member is disabled.')
    if (attempt.again !== null && attempt.again !== person.email) {
      throw new NotLetIn(
        'You have logged in there as another person.',
        'Another person than asked.',
      )
    }
    const authenticatedAt = timeOf(ctx, claims.auth_time)
    if (attempt.again !== null) checkFresh(authenticatedAt, attempt)
    const given = roleIn(row, claims)
    const role = given === null ? person.role : (await setRole(ctx, person.id, given)).role
    const actor = { type: 'user', id: person.id, name: person.name } as const
    const session = textOf(claims.sid, 255) ?? null
    return openSession({ ...ctx, actor, role }, person, {
      issuer: claims.issuer,
      session,
      authenticatedAt,
    })
  })

const linkSql =
  'select user_id from sso_people where organization_id = $1 and issuer = $2 and subject = $3'
const subjectSql = 'select subject from sso_people where organization_id = $1 and user_id = $2'
const insertSql = `
  insert into sso_people (organization_id, user_id, issuer, subject, created_at)
  values ($1, $2, $3, $4, $5)`

async function linked(ctx: WriteContext, { issuer, sub }: Claims): Promise<SsoPerson | undefined> {
  const [link] = await ctx.tx.query<{ user_id: string }>(tenantQuery(ctx, linkSql, issuer, sub))
  return link && findOne(ctx, 'users', link.user_id)
}

/** The first login: by an address that is verified, and of a domain that is proved. */
async function byAddress(ctx: WriteContext, row: StoredSso, claims: Claims): Promise<SsoPerson> {
  const email = await verifiedEmail(ctx, row, claims)
  const owner = await findEmailOwner(ctx.reader, email)
  if (owner && owner.organizationId !== ctx.organization.id) {
    throw new NotLetIn(noAccount, 'The address belongs to a member of another organization.')
  }
  const person = owner
    ? await unlinked(ctx, owner.userId)
    : await newMember(ctx, { row, claims, email })
  const now = nowText(ctx.services)
  ctx.tx.send(tenantQuery(ctx, insertSql, person.id, claims.issuer, claims.sub, now))
  return person
}

async function unlinked(ctx: WriteContext, userId: string): Promise<SsoPerson> {
  const user = await findOne(ctx, 'users', userId)
  const links = await ctx.tx.query<{ subject: string }>(tenantQuery(ctx, subjectSql, userId))
  if (!user || user.disabled) throw new NotLetIn(noAccount, 'The member is disabled.')
  if (links.length === 0) return user
  throw new NotLetIn(noAccount, 'The member is linked to another subject of the provider.')
}

const address = /^[^\s@<>"]{1,64}@[^\s@]+$/

async function verifiedEmail(ctx: WriteContext, row: StoredSso, claims: Claims): Promise<string> {
  const email = accountOf(textOf(claims.email, maxEmailLength) ?? '')
  if (!address.test(email)) throw new NotLetIn(noAddress, 'The provider gives no address.')
  if (claims.email_verified !== true && !(row.trust_email && claims.email_verified !== false)) {
    throw new NotLetIn(notVerified, 'The address is not verified.')
  }
  const domain = domainIn(email)
  const domains = await storedDomains(ctx)
  const isOurs = domains.some((each) => each.domain === domain && each.proved_at !== null)
  if (!isOurs) throw new NotLetIn(noAccount, 'The address is of no proved domain.')
  return email
}

const noAddress = 'Your provider does not say what your email address is. Ask the owners.'
const notVerified = 'Your provider does not say that your email address is verified.'

type Joining = { row: StoredSso; claims: Claims; email: string }

async function newMember(ctx: WriteContext, { row, claims, email }: Joining): Promise<SsoPerson> {
  if (!row.create_members) throw new NotLetIn(noAccount, 'Members are not created at their login.')
  await checkCap(ctx, membersCap)
  const name = nameOf(claims) ?? email.slice(0, email.indexOf('@'))
  const role = roleIn(row, claims) ?? row.default_role
  return addUser(ctx, { email, name, role, password_hash: '' })
}

function nameOf({ name }: Claims): string | undefined {
  const plain = typeof name === 'string' ? name.toWellFormed().replaceAll(/\p{Cc}/gu, ' ') : ''
  return plain.trim().slice(0, 255).trim() || undefined
}

const textOf = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value.length <= most ? value.toWellFormed() : undefined

/** Seconds since the epoch; never later than now. */
function timeOf({ services }: Context, seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !(seconds > 0)) return null
  return new Date(Math.min(seconds * 1000, services.clock.now().getTime())).toISOString()
}

/** Providers count in whole seconds, and clocks differ a little. */
const leewayMs = 30_000

function checkFresh(authenticatedAt: string | null, { startedAt }: Attempt): void {
  const isFresh =
    authenticatedAt !== null && Date.parse(authenticatedAt) >= Date.parse(startedAt) - leewayMs
  if (!isFresh) throw new NotLetIn(notFresh, 'The provider did not ask for the login again.')
}

const notFresh = 'Your provider did not ask you to log in again, or does not say when you did.'
