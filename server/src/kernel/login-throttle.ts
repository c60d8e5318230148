import { setTimeout } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { Counting } from './counting/counting.ts'
import { Problem } from './errors.ts'
import type { Cipher } from './secrets.ts'
import { lanes } from './turns.ts'

/** The account that is tried, known or not, and where from. */
type Who = { readonly account: string; readonly address: string }

type Verdict = { readonly isRight: boolean }

export type LoginThrottle = {
  /**
   * Lets `check` judge an attempt, or throws 429 `login_throttled`. Unknown accounts are treated
   * alike. What `check` throws is no verdict, and counts as none.
   */
  attempt<T extends Verdict>(who: Who, check: () => Promise<T>): Promise<T>
}

/** The attempt after so many failures opens the first wait. */
const freeFailures = 4
const longestWaitSeconds = 900
const forgetAfterSeconds = 24 * 60 * 60
const failuresPerAddress = 30
const addressWindowSeconds = 60

/** At once in this process: as many as may fail freely; of an address, what keeps the hasher busy. */
const ofAccountAtOnce = 4
const ofAddressAtOnce = 8
const mostInLine = 200

/** How long an attempt may hold an account's one place: longer than any takes, unless it was killed. */
const longestAttemptSeconds = 30
const lookAgainMs = 20
const mostLooks = 250

/** After 5 failures in a row an account waits 1, 2, 4 … 900 s; an address has 30 a minute. */
export function loginThrottle(counting: Counting, cipher: Cipher): LoginThrottle {
  const failures = counting.counter({ name: 'login-failures', seconds: forgetAfterSeconds })
  const waits = counting.counter({ name: 'login-waits', seconds: longestWaitSeconds })
  const places = counting.counter({ name: 'login-places', seconds: longestAttemptSeconds })
  const addresses = counting.counter({ name: 'login-addresses', seconds: addressWindowSeconds })
  const inLineOfAccount = lanes(mostInLine, ofAccountAtOnce)
  const inLineOfAddress = lanes(mostInLine, ofAddressAtOnce)
  // Whoever reads the store learns nobody's email or address from it.
  const keyOf = (text: string) => cipher.sign(text, 'login throttle').toString('base64url')

  /** The seconds to wait should the attempt fail; 0 for one of those that fail freely. */
  async function begin(who: Who): Promise<number> {
    for (let looks = 1; looks <= mostLooks; looks += 1) {
      await refuseWaiting(who)
      const seconds = await takePlace(who.account)
      if (seconds !== null) return seconds
      // Somebody has the place, on whatever process, and may succeed yet.
      await setTimeout(lookAgainMs)
    }
    throw throttled(0)
  }

  async function refuseWaiting({ account, address }: Who): Promise<void> {
    const [wait, window] = await Promise.all([waits.get(account), addresses.get(address)])
    if (wait) throw throttled(wait.msBeforeNext)
    if (window && window.consumedPoints >= failuresPerAddress) throw throttled(window.msBeforeNext)
  }

  /** Counts a failure ahead: of many at once, a few may fail freely, and then one at a time. */
  async function takePlace(account: string): Promise<number | null> {
    const free = await failures.consume(account, 1, { limit: freeFailures })
    if (free.consumedPoints <= freeFailures) return 0
    const place = await places.consume(account, 1, { limit: 1 })
    if (place.consumedPoints > 1) return null
    // Whoever had the place may have failed since the account was looked at.
    if (await waits.get(account)) {
      await places.delete(account)
      return null
    }
    const { consumedPoints: inRow } = await failures.penalty(account)
    return waitSeconds(inRow)
  }

  async function giveBack({ account }: Who, seconds: number): Promise<void> {
    await failures.reward(account)
    if (seconds > 0) await places.delete(account)
  }

  async function settle({ account, address }: Who, seconds: number, { isRight }: Verdict) {
    // What refuses is the last to go: whoever finds none of it finds no failures either.
    if (isRight) {
      for (const counter of [failures, waits, places]) await counter.delete(account)
      return
    }
    await addresses.penalty(address)
    if (seconds === 0) return
    await waits.consume(account, 1, { customDuration: seconds })
    await places.delete(account)
  }

  async function attempt<T extends Verdict>(who: Who, check: () => Promise<T>): Promise<T> {
    const seconds = await begin(who)
    const verdict = await check().catch(async (error: unknown) => {
      // Where the count is away too, the attempt stays counted; the fault is what matters.
      await giveBack(who, seconds).catch(() => {})
      throw error
    })
    await settle(who, seconds, verdict)
    return verdict
  }

  return {
    attempt({ account, address }, check) {
      const who = { account: keyOf(account), address: keyOf(networkOf(address)) }
      const inTurn = () => inLineOfAddress(who.address, () => attempt(who, check))
      return inLineOfAccount(who.account, inTurn)
    },
  }
}

/** Who has one IPv6 address has the 2⁶⁴ of its network; an IPv4 address is one, however it is written. */
function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()
}

const waitSeconds = (inRow: number) =>
  Math.min(longestWaitSeconds, 2 ** Math.min(inRow - freeFailures - 1, 10))

const throttled = (milliseconds: number) => {
  const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)))
  return new Problem('login_throttled', `Too many failed logins: wait ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  })
}
