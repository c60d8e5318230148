import { checkMayUsePassword } from '../../../identity/enforced-sso.ts'
import { networkOf } from '../../../identity/logins/networks.ts'
import { endSessionsOf } from '../../../identity/sessions.ts'
import { audited } from '../../../kernel/change.ts'
import type { BareContext, Context, WriteContext } from '../../../kernel/context.ts'
import { update } from '../../../kernel/rows.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { linkExpired, type OpenedLink, openedLink, spendLink } from '../../../mail/one-use-links.ts'
import { Problem } from '../../../problems/problem.ts'
import {
  attemptOn,
  contextOf,
  recordFailure,
  type User,
  userAt,
  userResource,
} from '../accounts.ts'
import { factorAsked, methodsOf } from '../factors/challenges.ts'
import { guessing, useProof } from '../factors/proof.ts'
import { verifiedFactorsOf } from '../factors/stored.ts'
import { noticePasswordChange } from './notice.ts'

type Reset = { secret: string; password: string; otp?: string }

/** Sets the password of the person that the link was made for, and ends all of their sessions. */
export async function resetPassword(bare: BareContext, { secret, ...body }: Reset): Promise<void> {
  const { services, request } = bare
  const address = request?.ip ?? ''
  const link = await openedLink(services, 'password_reset', { secret, address })
  const owner = { organizationId: link.organization_id, userId: link.subject_id }
  const user = await userAt(bare, owner, networkOf(address))
  if (!user || user.disabled) throw linkExpired()
  await checkMayUsePassword(bare.reader, user)
  const ctx = contextOf(bare, user)
  const { otp } = body
  if (user.second_factor && otp === undefined) throw await needsFactor(ctx, user)
  const password_hash = await services.identity.passwords.hash(body.password, owner)
  const set = (ctx: Context) => setPassword(ctx, { user, link, password_hash })
  if (!user.second_factor || otp === undefined) return set(ctx)
  const prove = (ctx: WriteContext) => useProof(ctx, user, { otp })
  await checkGuess(ctx, user, async (ctx) =>
    (await prove(ctx)) ? set(ctx).then(() => true) : null,
  )
}

async function needsFactor(ctx: Context, user: User): Promise<Problem> {
  return factorAsked({
    challenge: null,
    methods: methodsOf(ctx, await verifiedFactorsOf(ctx, user.id)).filter(
      (name) => name !== 'passkey',
    ),
  })
}

/** As a wrong password, a wrong code slows down what follows; the link stays open. */
async function checkGuess(
  ctx: Context,
  user: User,
  guess: (ctx: WriteContext) => Promise<true | null>,
): Promise<void> {
  const { services } = ctx
  const { isRight } = await services.identity.throttle.attempt(attemptOn(ctx, user), async () => {
    const right = await guessing(services, user, () => inTransaction(ctx, guess))
    return { isRight: right !== null }
  })
  if (isRight) return
  await recordFailure(ctx, user, 'auth.login_second_factor_failed')
  throw new Problem('invalid_credentials', 'The code is wrong, or was used before.')
}

type NewPassword = { user: User; link: OpenedLink; password_hash: string }

const setPassword = (ctx: Context, { user, link, password_hash }: NewPassword): Promise<void> =>
  audited(ctx, { action: 'auth.password_changed', resource: userResource(user) }, async (ctx) => {
    await spendLink(ctx, link)
    update(ctx, 'users', { id: user.id, password_hash, updated_at: ctx.now })
    endSessionsOf(ctx, user.id)
    noticePasswordChange(ctx, user.email, 'by a link that was sent for it')
  })
