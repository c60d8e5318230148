import type { Type } from 'typebox'
import type { Hashing } from '../../identity/hashing.ts'
import { networkOf } from '../../identity/logins/networks.ts'
import type { LoginAttempt } from '../../identity/logins/throttle.ts'
import { endChallengesOf, endSessionsOf } from '../../identity/sessions.ts'
import { audited } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { oneOf, update } from '../../kernel/rows.ts'
import { throwIfReplayed } from '../../kernel/transaction.ts'
import { endLinksOf } from '../../mail/one-use-links.ts'
import { Problem } from '../../problems/problem.ts'
import { isKnownNetwork } from './known-networks.ts'
import { noticePasswordChange } from './reset/notice.ts'
import type { PasswordBody } from './schema.ts'
import { endSessions, ownUser } from './sessions.ts'

type Passwords = Type.Static<typeof PasswordBody>

/** Changes the user's own password and ends their other sessions. */
export async function changePassword(ctx: Context, body: Passwords): Promise<void> {
  // A replay cannot check the current password again: it has changed.
  await throwIfReplayed(ctx)
  const {
    identity: { throttle, passwords },
  } = ctx.services
  const user = await oneOf(ctx, 'users', String(ctx.actor.id))
  // Throttled, so that a stolen token cannot be used to guess the password.
  const { isRight } = await throttle.attempt(attemptOf(ctx, user), async () => ({
    isRight: await passwords.verify(body.current_password, user.password_hash, hashingOf(ctx)),
  }))
  if (!isRight) throw new Problem('invalid_credentials', 'The current password is wrong.')
  const password_hash = await passwords.hash(body.new_password, hashingOf(ctx))
  await audited(ctx, { action: 'auth.password_changed', resource: ownUser(ctx) }, async (ctx) => {
    update(ctx, 'users', { id: user.id, password_hash, updated_at: ctx.now })
    endSessions(ctx, { allBut: ctx.sessionId })
    endChallengesOf(ctx, user.id)
    endLinksOf(ctx, 'password_reset', user.id)
    noticePasswordChange(ctx, user.email, 'with the password before')
  })
}

function attemptOf(ctx: Context, { id, email }: { id: string; email: string }): LoginAttempt {
  const address = ctx.request?.ip ?? ''
  return { account: email, address, isKnown: () => isKnownNetwork(ctx, id, networkOf(address)) }
}

const hashingOf = ({ organization }: Context): Hashing => ({ organizationId: organization.id })

/** Sets a user's password from the command line and ends all of their sessions. */
export async function setPassword(ctx: Context, userId: string, password: string): Promise<void> {
  const { id, name, email } = await oneOf(ctx, 'users', userId)
  const password_hash = await ctx.services.identity.passwords.hash(password, hashingOf(ctx))
  const entry = { action: 'auth.password_changed', resource: { type: 'user', id, name } }
  await audited(ctx, entry, async (ctx) => {
    update(ctx, 'users', { id, password_hash, updated_at: ctx.now })
    endSessionsOf(ctx, id)
    endLinksOf(ctx, 'password_reset', id)
    noticePasswordChange(ctx, email, 'by the operator of the service')
  })
}
