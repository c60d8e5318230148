import { throttled } from '../../../identity/logins/throttled.ts'
import { nowText, type Services, type WriteContext } from '../../../kernel/context.ts'
import { update } from '../../../kernel/rows.ts'
import { privateCounter } from '../../../limits/counters/private-counter.ts'
import { noticeFactors } from './notice.ts'
import { hashOfCode } from './recovery-codes.ts'
import { type StoredFactor, timeSecretOf, verifiedFactorsOf } from './stored.ts'
import { stepOf } from './time-codes.ts'

/** The proof of a second factor, as it is sent. */
export type Proof = { readonly otp?: string; readonly recovery_code?: string }

type Person = { readonly id: string; readonly email: string }

/**
 * Uses up a time code or a recovery code, in the transaction of what it is for: as an organization has
 * one writer, none counts twice. Answers whether it is right.
 */
export async function useProof(ctx: WriteContext, person: Person, proof: Proof): Promise<boolean> {
  const factors = await verifiedFactorsOf(ctx, person.id)
  const { otp = '', recovery_code: code } = proof
  if (code !== undefined) return useRecoveryCode(ctx, { person, factors, code })
  const digits = otp.replaceAll(' ', '')
  if (/^\d{6}$/.test(digits)) return useTimeCode(ctx, factors, digits)
  return useRecoveryCode(ctx, { person, factors, code: otp })
}

function useTimeCode(ctx: WriteContext, factors: readonly StoredFactor[], code: string): boolean {
  const { services } = ctx
  for (const factor of factors) {
    const secret = timeSecretOf(services, factor)
    const step = secret && stepOf(secret, code, services.clock.now())
    if (typeof step !== 'number' || step <= (factor.last_step ?? 0)) continue
    update(ctx, 'factors', { id: factor.id, last_step: step, last_used_at: nowText(services) })
    return true
  }
  return false
}

type Recovering = { person: Person; factors: readonly StoredFactor[]; code: string }

function useRecoveryCode(ctx: WriteContext, { person, factors, code }: Recovering): boolean {
  const hash = hashOfCode(code)
  const holder = factors.find(({ code_hashes }) => code_hashes?.includes(hash))
  if (!holder) return false
  const left = (holder.code_hashes ?? []).filter((each) => each !== hash)
  update(ctx, 'factors', {
    id: holder.id,
    code_hashes: JSON.stringify(left),
    last_used_at: nowText(ctx.services),
  })
  noticeFactors(ctx, person.email, { what: `A recovery code was used; ${left.length} are left` })
  return true
}

/** Wrong codes for one person in a day, from networks that the person has not logged in from. */
const wrongCodes = { limit: 100, seconds: 24 * 60 * 60 }

type Guesser = { readonly id: string; readonly is_known: boolean }

/**
 * Bounds the guesses of those who know the password, from however many networks: six digits are fewer
 * than the throttle of passwords takes to be safe.
 */
export async function guessing<T>(
  services: Services,
  { id, is_known }: Guesser,
  guess: () => Promise<T | null>,
): Promise<T | null> {
  const { limit, seconds } = wrongCodes
  const counter = privateCounter(services, { name: 'second-factors', seconds })
  const { used, msLeft } = await counter.take(id, { limit })
  if (used > limit && !is_known) throw throttled(msLeft)
  const right = await guess()
  if (right !== null && used <= limit) await counter.giveBack(id)
  return right
}
