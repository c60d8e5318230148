/** When a change set is applied, set back, and expires. Pure. */

import { type Fault, fault } from '../../../problems/fault.ts'
import { inThePast } from '../../../problems/problem.ts'
import { readTime } from '../../../values/times.ts'

const hourMs = 60 * 60 * 1000
const maxAheadMs = 90 * 24 * hourMs

const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()

type Times = { apply_at: string | null; revert_at: string | null }
type GivenTimes = { apply_at?: string | null; revert_at?: string | null }

/** The times as they will be; what is not sent stays. */
export function readTimes(
  given: GivenTimes,
  before: Times,
  now: string,
): { times: Times; faults: Fault[] } {
  const faults: Fault[] = []
  const read = (field: keyof Times): string | null => {
    const text = given[field]
    if (text === undefined) return before[field]
    if (text === null) return null
    const found = readTime(text, `/${field}`)
    if ('time' in found) return found.time
    faults.push(found.fault)
    return before[field]
  }
  const times = { apply_at: read('apply_at'), revert_at: read('revert_at') }
  if (faults.length === 0) faults.push(...faultsOf(times, before, now))
  return { times, faults }
}

function faultsOf({ apply_at, revert_at }: Times, before: Times, now: string): Fault[] {
  const faults: Fault[] = []
  const from = apply_at ?? now
  if (apply_at !== null && apply_at !== before.apply_at) {
    if (apply_at <= now) faults.push(inThePast('/apply_at', { given: apply_at }))
    if (apply_at > after(now, maxAheadMs)) faults.push(tooFar('/apply_at', 'from now', apply_at))
  }
  if (revert_at === null) return faults
  if (revert_at <= from) {
    const message = apply_at === null ? 'must be in the future' : 'must be after apply_at'
    faults.push(fault('/revert_at', 'end_before_start', message, { given: revert_at }))
  }
  if (revert_at > after(from, maxAheadMs)) {
    faults.push(tooFar('/revert_at', apply_at === null ? 'from now' : 'after apply_at', revert_at))
  }
  return faults
}

const tooFar = (pointer: string, from: string, given: string): Fault =>
  fault(pointer, 'out_of_range', `is more than 90 days ${from}`, { given })

type Expiring = { apply_at: string | null; created_at: string; expires_in_hours: number }

/** One that waits for its time is let go an hour later. */
export const expiryOf = ({ apply_at, created_at, expires_in_hours }: Expiring): string =>
  apply_at === null ? after(created_at, expires_in_hours * hourMs) : after(apply_at, hourMs)
