import { checkMayUsePassword } from '../../identity/enforced-sso.ts'
import { networkOf } from '../../identity/logins/networks.ts'
import { throttled } from '../../identity/logins/throttled.ts'
import { findPasskeyOwner } from '../../identity/passkey-directory.ts'
import type { BareContext, Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { privateCounter } from '../../limits/counters/private-counter.ts'
import { Problem } from '../../problems/problem.ts'
import { attemptOn, contextOf, recordFailure, type User, userAt } from './accounts.ts'
import { challengeOver, openedChallenge, passkeyChallengeOf } from './factors/challenges.ts'
import { requestOptions } from './factors/passkeys/ceremonies.ts'
import { isOurs, newLoneChallenge, spendLoneChallenge } from './factors/passkeys/lone-challenge.ts'
import { neededParty } from './factors/passkeys/relying-party.ts'
import type { Passkey } from './factors/passkeys/schema.ts'
import { challengeIn, credentialIdIn, userIdIn } from './factors/passkeys/sent.ts'
import { usePasskey } from './factors/passkeys/use.ts'
import { verifiedFactorsOf } from './factors/stored.ts'
import { type LoggedIn, openSession } from './login.ts'
import { type Answer, userOf, verifyLogin } from './second-step.ts'

/** Options for the person whose login waits, or for anyone with a passkey. */
export async function passkeyOptions(ctx: BareContext, { challenge }: { challenge?: string }) {
  const party = neededParty(ctx.services)
  if (challenge === undefined) {
    const lone = newLoneChallenge(ctx.services)
    return { options: { ...(await requestOptions(party, { challenge: lone })) } }
  }
  const waiting = await openedChallenge(ctx, challenge)
  const own = contextOf(ctx, await userOf(ctx, waiting))
  const factors = await verifiedFactorsOf(own, waiting.user_id)
  const of = factors.filter(({ kind }) => kind === 'passkey')
  const asked = passkeyChallengeOf(ctx.services, waiting)
  return { options: { ...(await requestOptions(party, { challenge: asked, of })) } }
}

type SessionAnswer = Omit<Answer, 'challenge'> & { readonly challenge?: string }

/** The second step of a login to the console, or a login by a passkey alone. */
export function verifySession(
  ctx: BareContext,
  { challenge, ...answer }: SessionAnswer,
): Promise<LoggedIn> {
  if (challenge !== undefined) return verifyLogin(ctx, { challenge, ...answer })
  const { passkey } = answer
  if (passkey) return loginByPasskey(ctx, { passkey })
  throw challengeOver()
}

type Passkeys = { readonly passkey: Passkey }

/** Both factors at once: the device, and what opens it. All refusals are the same. */
export async function loginByPasskey(ctx: BareContext, { passkey }: Passkeys): Promise<LoggedIn> {
  const { services } = ctx
  neededParty(services)
  await checkAddress(ctx)
  const challenge = challengeIn(passkey)
  const user = isOurs(services, challenge) ? await ownerOf(ctx, passkey) : undefined
  if (!user || user.disabled) throw await refused(ctx)
  const { session } = await services.identity.throttle.attempt(attemptOn(ctx, user), async () => {
    const session = await judge(contextOf(ctx, user), user, { passkey, challenge })
    return { session, isRight: session !== null }
  })
  if (!session) throw await refused(ctx)
  return session
}

/** Passkeys of no one, from one address. */
const strangers = { limit: 30, seconds: 60 }

const counterOf = ({ services }: BareContext) =>
  privateCounter(services, { name: 'unknown-passkeys', seconds: strangers.seconds })

async function checkAddress(ctx: BareContext): Promise<void> {
  const { used, msLeft } = await counterOf(ctx).look(ctx.request?.ip ?? '')
  if (used >= strangers.limit) throw throttled(msLeft)
}

async function refused(ctx: BareContext): Promise<Problem> {
  await counterOf(ctx).take(ctx.request?.ip ?? '')
  return new Problem(
    'invalid_credentials',
    'The passkey is not one of this service, or its login took too long.',
  )
}

/** A passkey names its user, too. */
async function ownerOf(ctx: BareContext, passkey: Passkey): Promise<User | undefined> {
  const owner = await findPasskeyOwner(ctx.reader, credentialIdIn(passkey))
  if (owner?.userId !== userIdIn(passkey)) return undefined
  return userAt(ctx, owner, networkOf(ctx.request?.ip ?? ''))
}

type Signed = { passkey: Passkey; challenge: string }

const judge = (ctx: Context, user: User, signed: Signed): Promise<LoggedIn | null> =>
  inTransaction(ctx, async (ctx) => {
    const { challenge } = signed
    const isRight = await usePasskey(ctx, user, signed)
    if (isRight && (await spendLoneChallenge(ctx, { userId: user.id, challenge }))) {
      await checkMayUsePassword(ctx.reader, user)
      return openSession(ctx, user)
    }
    await recordFailure(ctx, user)
    return null
  })
