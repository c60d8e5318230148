import { setTimeout } from 'node:timers/promises'
import { keyedSemaphore, semaphore } from '../../concurrency/semaphore.ts'
import type { Cipher } from '../../crypto/cipher.ts'
import type { Counting } from '../../limits/counters/counters.ts'
import { accountsIn, type Share, type Tried } from './accounts.ts'
import { loginLimits } from './limits.ts'
import { hostOf, networkOf } from './networks.ts'
import { pairsIn } from './pairs.ts'
import { throttled } from './throttled.ts'

/** The account that is tried, known or not, and where from. */
export type Attempt = {
  readonly account: string
  readonly address: string
  /** Whether the account logged in from this network lately; asked only of who need not wait anyway. */
  isKnown(): Promise<boolean>
}

type Verdict = { readonly isRight: boolean }

export type LoginThrottle = {
  /**
   * Lets `check` judge an attempt, or throws 429 `login_throttled`. Unknown accounts are treated
   * alike. What `check` throws is no verdict, and counts as none.
   */
  attempt<T extends Verdict>(attempt: Attempt, check: () => Promise<T>): Promise<T>
}

/** In this process: of a pair as many as may fail freely, of an address what keeps the hasher busy. */
const ofPairAtOnce = 4
const ofAddressAtOnce = 8
const mostInLine = 200
/** From unknown networks together: they must leave room for requests of others. */
const mostOfUnknown = 256

const lookAgainMs = 20
const mostLooks = 250

type Keys = Tried & { readonly address: string }
type Taken = { readonly seconds: number; readonly share: Share }

/** The limits are in `limits.ts`. */
export function loginThrottle(counting: Counting, cipher: Cipher): LoginThrottle {
  const pairs = pairsIn(counting)
  const accounts = accountsIn(counting)
  const addresses = counting.counter({
    name: 'login-addresses',
    seconds: loginLimits.addressWindowSeconds,
  })
  const ofPair = keyedSemaphore(mostInLine, ofPairAtOnce)
  const ofAddress = keyedSemaphore(mostInLine, ofAddressAtOnce)
  const ofUnknown = semaphore({ atOnce: mostOfUnknown, waiting: 0 })
  // Who reads the store learns no e-mail address and no network from it.
  const keyOf = (text: string) => cipher.sign(text, 'login throttle').toString('base64url')

  async function refuseWaiting({ pair, address }: Pick<Keys, 'pair' | 'address'>): Promise<void> {
    const [window] = await Promise.all([addresses.look(address), pairs.refuseWaiting(pair)])
    if (window.used >= loginLimits.addressFailures) {
      throw throttled(window.msLeft)
    }
  }

  async function begin(keys: Keys): Promise<Taken> {
    const seconds = await takePlace(keys)
    const share = await accounts.take(keys).catch(async (refusal: unknown) => {
      await pairs.giveBack(keys.pair, seconds)
      throw refusal
    })
    return { seconds, share }
  }

  async function takePlace(keys: Keys): Promise<number> {
    for (let looks = 1; looks <= mostLooks; looks += 1) {
      await refuseWaiting(keys)
      const seconds = await pairs.take(keys.pair)
      if (seconds !== null) return seconds
      // Another attempt has the place, in whichever process, and may succeed.
      await setTimeout(lookAgainMs)
    }
    throw throttled(0)
  }

  async function giveBack(keys: Keys, { seconds, share }: Taken): Promise<void> {
    await Promise.all([pairs.giveBack(keys.pair, seconds), accounts.giveBack(keys, share)])
  }

  async function conclude(keys: Keys, { seconds, share }: Taken, { isRight }: Verdict) {
    if (isRight) {
      await Promise.all([pairs.succeed(keys.pair), accounts.giveBack(keys, share)])
      return
    }
    await addresses.take(keys.address)
    await accounts.fail(keys, share)
    await pairs.fail(keys.pair, seconds)
  }

  async function judge<T extends Verdict>(keys: Keys, check: () => Promise<T>): Promise<T> {
    const taken = await begin(keys)
    const verdict = await check().catch(async (error: unknown) => {
      // Where the count is away too, the attempt stays counted; the fault is what matters.
      await giveBack(keys, taken).catch(() => {})
      throw error
    })
    await conclude(keys, taken, verdict)
    return verdict
  }

  return {
    async attempt({ account, address, isKnown }, check) {
      const keys = {
        account: keyOf(account),
        pair: keyOf(`${networkOf(address)} ${account}`),
        address: keyOf(hostOf(address)),
      }
      await refuseWaiting(keys)
      const tried = { ...keys, isKnown: await isKnown() }
      const inTurn = () => ofPair(keys.pair, () => judge(tried, check))
      return tried.isKnown ? inTurn() : ofUnknown(() => ofAddress(keys.address, inTurn))
    },
  }
}
