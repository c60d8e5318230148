import { isProblem } from '@flightdeckhq/sdk'
import { NetworkFault } from '../contract/fault.ts'
import { type Held, LeaseEnded } from '../lease/lease.ts'
import { said } from '../telemetry/log.ts'
import type { Account } from './account.ts'
import { pollAccount, reportCredential } from './poll.ts'
import { sendResults } from './results.ts'

/** The work of an account that comes by the clock: reading it as a whole, and sending its results. */

export type Upkeep = {
  /** When each is next, by this process's clock; `limit`: until then the network wants no requests. */
  due: { poll: number; results: number; limit: number }
  /** Reads the account; answers why nothing may be sent to it. */
  poll(): Promise<string | null>
  /** Sends results where they are due. */
  results(): Promise<void>
}

export type UpkeepTerms = { held: Held; pollMs: number; resultsMs: number }

const [longDays, shortDays] = [30, 3]
const limitSeconds = 30
const retryResultsMs = 60_000

export function openUpkeep(account: Account, { held, pollMs, resultsMs }: UpkeepTerms): Upkeep {
  const { log } = account
  const due = { poll: 0, results: 0, limit: 0 }
  let days = longDays
  account.hear = (fault) => hear(account, fault, due)
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
      if (performance.now() < due.results || account.facts === null) return
      try {
        await sendResults(account, days)
        days = shortDays
        due.results = performance.now() + resultsMs
      } catch (error) {
        throwIfOver(held, error)
        log.warn('results were not sent', { error: account.access.redact(said(error)) })
        due.results = performance.now() + Math.min(resultsMs, retryResultsMs)
      }
    },
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
