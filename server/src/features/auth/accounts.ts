import { type EmailOwner, findEmailOwner } from '../../identity/email-directory.ts'
import type { LoginAttempt } from '../../identity/logins/throttle.ts'
import type { Role } from '../../identity/permissions.ts'
import { organizationIn } from '../../identity/session-states.ts'
import { audited } from '../../kernel/change.ts'
import { type BareContext, type Context, newContext } from '../../kernel/context.ts'
import type { Actor, Organization } from '../../values/organization.ts'
import { isKnownFrom, oldestKnown } from './known-networks.ts'

// The people who log in, as they are found before anyone is.

export type User = {
  id: string
  email: string
  name: string
  role: Role
  disabled: boolean
  password_hash: string
  /** Whether a verified factor guards the login. */
  second_factor: boolean
  /** The user recently logged in from the network of this request. */
  is_known: boolean
  organization: Organization
}

const noOrganization: EmailOwner = { organizationId: '', userId: '' }

/** Looks up unknown addresses the same way, so that timing reveals nothing. */
export const findUser = async (
  ctx: BareContext,
  email: string,
  network: string,
): Promise<User | undefined> =>
  userAt(ctx, (await findEmailOwner(ctx.reader, email)) ?? noOrganization, network)

export async function userAt(
  ctx: BareContext,
  { organizationId, userId }: EmailOwner,
  network: string,
): Promise<User | undefined> {
  const oldest = oldestKnown(ctx.services)
  const row = await ctx.reader
    .kysely()
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.id', 'users.email', 'users.name', 'users.role', 'users.disabled'])
    .select(['users.password_hash', 'users.second_factor'])
    .select(['organizations.id as organization_id', 'organizations.plan'])
    .select(['organizations.name as organization_name', 'organizations.status'])
    .select(['organizations.require_if_match', 'organizations.require_second_factor'])
    .select(['organizations.time_zone', 'organizations.clock_ahead_ms'])
    .select(isKnownFrom({ organizationId, network, oldest }).as('is_known'))
    .where('users.organization_id', '=', organizationId)
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return row && { ...row, organization: organizationIn(row) }
}

export function contextOf(ctx: BareContext, { id, name, role, organization }: User): Context {
  return newContext(ctx, { organization, actor: { type: 'user', id, name }, role, scope: null })
}

/** An attempt on the account of a user who is known already. */
export const attemptOn = (ctx: BareContext, { email, is_known }: User): LoginAttempt => ({
  account: email,
  address: ctx.request?.ip ?? '',
  isKnown: async () => is_known,
})

export const userResource = (user: { id: string; name: string }) => ({
  type: 'user',
  id: user.id,
  name: user.name,
})

/** Joins a transaction that is open. */
export function recordFailure(
  ctx: Context,
  user: { id: string; name: string },
  action = 'auth.login_failed',
): Promise<void> {
  const request = ctx.request && { ...ctx.request, status: 401 }
  const actor: Actor = { type: 'anonymous', id: null, name: null }
  const entry = { action, outcome: 'failed' as const, resource: userResource(user) }
  return audited({ ...ctx, actor, request }, entry, async () => {})
}
