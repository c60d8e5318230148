import { isProblem } from '@flightdeckhq/sdk'
import type { AccountFacts } from '../contract/adapter.ts'
import { NetworkFault } from '../contract/fault.ts'
import { type Held, LeaseEnded } from '../lease/lease.ts'
import { said } from '../telemetry/log.ts'
import type { Account } from './account.ts'
import { type Backfill, backfillStep } from './backfill.ts'
import { pollAccount, reportCredential } from './poll.ts'
import { dayIn, dayMs, linkedIn, sendResults } from './results.ts'

/** The work of an account that comes by the clock: reading it as a whole, and sending its results. */

export type Upkeep = {
  /** When each is next, by this process's clock; `limit`: until then the network wants no requests. */
  due: { poll: number; results: number; backfill: number; limit: number }
  /** Reads the account; answers why nothing may be sent to it. */
  poll(): Promise<string | null>
  /** Sends results where they are due. */
  results(): Promise<void>
  /** Sends some results of months ago where they were asked for; answers whether there are more of them. */
  backfill(): Promise<Backfilled>
}

export type Backfilled = { isMore: boolean; fault: string | null }

export type UpkeepTerms = {
  held: Held
  pollMs: number
  resultsMs: number
  /** Results of months ago, which are sent a step at a time; null: none. */
  backfill: Backfill | null
}

const limitSeconds = 30
const retryResultsMs = 60_000

export function openUpkeep(account: Account, terms: UpkeepTerms): Upkeep {
  const { held, pollMs, backfill } = terms
  const due = { poll: 0, results: 0, backfill: backfill ? 0 : Number.POSITIVE_INFINITY, limit: 0 }
  const results = openResults(account)
  account.hear = (fault) => hear(account, fault, due)
  const send = senderOf(account, terms, due)
  return {
    due,
    async poll() {
      try {
        await pollAccount(account, held)
        account.backoff.forget('account')
        due.poll = performance.now() + pollMs * (0.9 + Math.random() / 5)
        return account.facts ? null : 'the account is not as its profile says'
      } catch (error) {
        throwIfOver(held, error)
        await noteUnread(account, held, error)
        due.poll = performance.now() + Math.min(pollMs, account.backoff.next('account'))
        return account.access.redact(said(error))
      }
    },
    async results() {
      await send('results', async (facts) => {
        await results(facts)
        return terms.resultsMs
      })
    },
    async backfill() {
      let isMore = false
      const fault = await send('backfill', async () => {
        isMore = backfill !== null && (await backfillStep(account, backfill))
        // Campaigns that are linked later are sent then.
        return isMore ? (backfill?.stepMs ?? 0) : terms.resultsMs
      })
      return { isMore, fault }
    },
  }
}

type Send = (
  name: 'results' | 'backfill',
  act: (facts: AccountFacts) => Promise<number>,
) => Promise<string | null>

/** Does what is due, which answers when it is due again; answers why it was not done. */
function senderOf(account: Account, { held, resultsMs }: UpkeepTerms, due: Upkeep['due']): Send {
  return async (name, act) => {
    if (performance.now() < due[name] || account.facts === null) return null
    if (performance.now() < due.limit) return 'the account waits for its rate limit'
    try {
      due[name] = performance.now() + (await act(account.facts))
      return null
    } catch (error) {
      throwIfOver(held, error)
      if (error instanceof NetworkFault) account.hear(error)
      const fault = account.access.redact(said(error))
      account.log.warn('results were not sent', { error: fault })
      due[name] = performance.now() + Math.min(resultsMs, retryResultsMs)
      return fault
    }
  }
}

const recentDays = 3
/** Beyond the days that are still open, for a connector that was off when the last of them became final. */
const spareDays = 7
const standardOpenDays = 30
const longEveryMs = dayMs

/** Sends the last days each time, and once a day all that may have changed. */
function openResults(account: Account): (facts: AccountFacts) => Promise<void> {
  let longDue = 0
  return async ({ time_zone }) => {
    const { access, adapter } = account
    const linked = linkedIn(account)
    if (linked.size === 0) return
    const isLong = performance.now() >= longDue
    const open = isLong ? ((await adapter.openDays?.(access)) ?? standardOpenDays) : 0
    const days = isLong ? Math.max(standardOpenDays, open + spareDays) : recentDays
    const now = Date.now()
    const from = dayIn(time_zone, now - days * dayMs)
    await sendResults(account, linked, { from, to: dayIn(time_zone, now) })
    if (isLong) longDue = performance.now() + longEveryMs
  }
}

/** The end of the hold is the end of all work under it. */
export function throwIfOver(held: Held, error: unknown): void {
  if (held.signal.aborted || error instanceof LeaseEnded) throw error
  if (isProblem(error, 'lease_lost')) throw error
}

function hear(account: Account, fault: NetworkFault, due: Upkeep['due']): void {
  const { kind, code, message, retryAfterSeconds } = fault
  account.metrics.count('network_faults_total', { kind })
  account.log.warn('the network has a fault', { kind, said: account.access.redact(message) })
  if (kind === 'rate_limited')
    due.limit = performance.now() + (retryAfterSeconds ?? limitSeconds) * 1_000
  if (kind === 'credential') account.access.forget()
  // Whether it is of the whole account shows when that is read.
  if (kind === 'credential' || code === 'account_suspended') due.poll = 0
}

async function noteUnread(account: Account, held: Held, error: unknown): Promise<void> {
  if (!(error instanceof NetworkFault)) {
    account.log.error('the account was not read', { error: said(error) })
    return
  }
  account.hear(error)
  if (error.kind === 'credential') await reportCredential(account, held, error)
}
