import { setTimeout } from 'node:timers/promises'
import { keyedSemaphore, semaphore } from '../../concurrency/semaphore.ts'
import type { Cipher } from '../../crypto/cipher.ts'
import type { Counting } from '../../limits/counters/counters.ts'
import { accountsIn, type Share, type Tried } from './accounts.ts'
import { loginLimits } from './limits.ts'
import { hostOf, networkOf } from './networks.ts'
import { pairsIn } from './pairs.ts'
import { throttled } from './throttled.ts'

/** The tried account, existing or not, and the address. */
export type LoginAttempt = {
  readonly account: string
  readonly address: string
  /**
   * Whether the account recently logged in from this network; called only if the attempt need not
   * wait anyway.
   */
  isKnown(): Promise<boolean>
}

type Verdict = { readonly isRight: boolean }

export type LoginThrottle = {
  /**
   * Runs `check`, or throws 429 `login_throttled`. Unknown accounts are treated the same. An error
   * thrown by `check` does not count as a failure.
   */
  attempt<T extends Verdict>(attempt: LoginAttempt, check: () => Promise<T>): Promise<T>
}

/**
 * Per process: a pair may run its free failures at once, an address as many as keep the hasher
 * busy.
 */
const ofPairAtOnce = 4
const ofAddressAtOnce = 8
const maxQueued = 200
/** For all unknown networks together; leaves capacity for other requests. */
const maxUnknown = 256

const lookAgainMs = 20
const maxLooks = 250

type Keys = Tried & { readonly address: string }
type Taken = { readonly seconds: number; readonly share: Share }

type Counters = ReturnType<typeof countersIn>

/** Limits are in `limits.ts`. */
export function loginThrottle(counting: Counting, cipher: Cipher): LoginThrottle {
  const counters = countersIn(counting)
  const ofPair = keyedSemaphore(maxQueued, ofPairAtOnce)
  const ofAddress = keyedSemaphore(maxQueued, ofAddressAtOnce)
  const ofUnknown = semaphore({ atOnce: maxUnknown, waiting: 0 })
  // Hashed, so that the store reveals no email address or network.
  const signedKeyOf = (text: string) => cipher.sign(text, 'login throttle').toString('base64url')
  return {
    async attempt({ account, address, isKnown }, check) {
      const keys = {
        account: signedKeyOf(account),
        pair: signedKeyOf(`${networkOf(address)} ${account}`),
        address: signedKeyOf(hostOf(address)),
      }
      await refuseWaiting(counters, keys)
      const tried = { ...keys, isKnown: await isKnown() }
      const inTurn = () => ofPair(keys.pair, () => judge(counters, tried, check))
      return tried.isKnown ? inTurn() : ofUnknown(() => ofAddress(keys.address, inTurn))
    },
  }
}

const countersIn = (counting: Counting) => ({
  pairs: pairsIn(counting),
  accounts: accountsIn(counting),
  addresses: counting.counter({
    name: 'login-addresses',
    seconds: loginLimits.addressWindowSeconds,
  }),
})

type WaitingKeys = Pick<Keys, 'pair' | 'address'>

async function refuseWaiting({ addresses, pairs }: Counters, keys: WaitingKeys): Promise<void> {
  const [window] = await Promise.all([addresses.look(keys.address), pairs.refuseWaiting(keys.pair)])
  if (window.used >= loginLimits.addressFailures) throw throttled(window.msLeft)
}

async function judge<T extends Verdict>(
  counters: Counters,
  keys: Keys,
  check: () => Promise<T>,
): Promise<T> {
  const taken = await begin(counters, keys)
  const verdict = await check().catch(async (error: unknown) => {
    // If the counter fails too, the attempt stays counted; the original error matters more.
    await giveBack(counters, keys, taken).catch(() => {})
    throw error
  })
  if (verdict.isRight) await succeed(counters, keys, taken)
  else await fail(counters, keys, taken)
  return verdict
}

async function begin(counters: Counters, keys: Keys): Promise<Taken> {
  const { accounts, pairs } = counters
  const seconds = await takePlace(counters, keys)
  const share = await accounts.take(keys).catch(async (refusal: unknown) => {
    await pairs.giveBack(keys.pair, seconds)
    throw refusal
  })
  return { seconds, share }
}

async function takePlace(counters: Counters, keys: Keys): Promise<number> {
  for (let looks = 1; looks <= maxLooks; looks += 1) {
    await refuseWaiting(counters, keys)
    const seconds = await counters.pairs.take(keys.pair)
    if (seconds !== null) return seconds
    // Another attempt, possibly in another process, holds the slot and may succeed.
    await setTimeout(lookAgainMs)
  }
  throw throttled(0)
}

async function giveBack({ pairs, accounts }: Counters, keys: Keys, taken: Taken): Promise<void> {
  await Promise.all([
    pairs.giveBack(keys.pair, taken.seconds),
    accounts.giveBack(keys, taken.share),
  ])
}

async function succeed({ pairs, accounts }: Counters, keys: Keys, { share }: Taken): Promise<void> {
  await Promise.all([pairs.succeed(keys.pair), accounts.giveBack(keys, share)])
}

async function fail({ pairs, accounts, addresses }: Counters, keys: Keys, taken: Taken) {
  await addresses.take(keys.address)
  await accounts.fail(keys, taken.share)
  await pairs.fail(keys.pair, taken.seconds)
}
