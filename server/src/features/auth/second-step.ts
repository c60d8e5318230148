import { checkMayUsePassword } from '../../identity/enforced-sso.ts'
import { networkOf } from '../../identity/logins/networks.ts'
import type { BareContext, Context, WriteContext } from '../../kernel/context.ts'
import { nowText } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { fault } from '../../problems/fault.ts'
import { invalid, Problem } from '../../problems/problem.ts'
import { attemptOn, contextOf, recordFailure, type User, userAt } from './accounts.ts'
import {
  type Challenge,
  challengeOver,
  countTry,
  endChallenge,
  isOver,
  openedChallenge,
  passkeyChallengeOf,
} from './factors/challenges.ts'
import type { Passkey } from './factors/passkeys/schema.ts'
import { usePasskey } from './factors/passkeys/use.ts'
import { guessing, type Proof, useProof } from './factors/proof.ts'
import { type LoggedIn, openSession } from './login.ts'

export type Answer = Proof & { readonly challenge: string; readonly passkey?: Passkey }

type Judged = { readonly login: LoggedIn | null; readonly triesLeft: number }

/** The second step of a login: answers the challenge of the first one. */
export async function verifyLogin(ctx: BareContext, answer: Answer): Promise<LoggedIn> {
  checkProof(answer)
  const challenge = await openedChallenge(ctx, answer.challenge)
  const user = await userOf(ctx, challenge)
  const { services } = ctx
  // As a wrong password, a wrong answer slows down what follows.
  const { judged } = await services.identity.throttle.attempt(attemptOn(ctx, user), async () => {
    const judged: Judged = { login: null, triesLeft: 0 }
    const guess = async () => {
      Object.assign(judged, await judge(contextOf(ctx, user), { user, challenge, answer }))
      return judged.login
    }
    await guessing(services, user, guess)
    return { judged, isRight: judged.login !== null }
  })
  if (judged.login) return judged.login
  const members = { tries_left: judged.triesLeft }
  throw new Problem('invalid_credentials', refusalOf(answer), { members })
}

/** Exactly one answer: each guess counts. */
function checkProof({ otp, recovery_code, passkey }: Answer): void {
  const given = [otp, recovery_code, passkey].filter((each) => each !== undefined)
  if (given.length === 1) return
  const message = 'is required, or one of `recovery_code` and `passkey`'
  throw invalid([fault('/otp', 'required', message)])
}

const refusalOf = ({ passkey }: Answer): string =>
  passkey
    ? 'The passkey does not prove it: ask for new options.'
    : 'The code is wrong, or was used before.'

export async function userOf(ctx: BareContext, challenge: Challenge): Promise<User> {
  const owner = { organizationId: challenge.organization_id, userId: challenge.user_id }
  const user = await userAt(ctx, owner, networkOf(ctx.request?.ip ?? ''))
  if (!user || user.disabled) throw challengeOver()
  await checkMayUsePassword(ctx.reader, user)
  return user
}

type Answering = { user: User; challenge: Challenge; answer: Answer }

/** One transaction spends the answer and opens the session, or counts the try. */
const judge = (ctx: Context, { user, challenge, answer }: Answering): Promise<Judged> =>
  inTransaction(ctx, async (ctx: WriteContext) => {
    const now = await oneOf(ctx, 'login_challenges', challenge.id)
    if (isOver(now, nowText(ctx.services))) throw challengeOver()
    if (await isProven(ctx, user, { ...answer, asked: passkeyChallengeOf(ctx.services, now) })) {
      endChallenge(ctx, now)
      return { login: await openSession(ctx, user), triesLeft: 0 }
    }
    const triesLeft = countTry(ctx, now)
    await recordFailure(ctx, user, 'auth.login_second_factor_failed')
    return { login: null, triesLeft }
  })

type AskedAnswer = Answer & { readonly asked: string }

const isProven = (ctx: WriteContext, user: User, { passkey, asked, ...proof }: AskedAnswer) =>
  passkey ? usePasskey(ctx, user, { passkey, challenge: asked }) : useProof(ctx, user, proof)
