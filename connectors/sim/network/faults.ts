import { setTimeout as pause } from 'node:timers/promises'

/** Faults by switch: what goes wrong, of which requests, and how often. */

export const faultKinds = [
  /** The line breaks before anything is done. */
  'lose_before',
  /** The request is done, and the line breaks before the answer. */
  'lose_after',
  'slow',
  /** Reads show what was so long ago. */
  'stale_reads',
  'rate_limit',
  /** Another has just changed the campaign. */
  'concurrent',
  'unavailable',
  /** The answer is no answer of this API. */
  'rubbish',
  /** No answer ever comes. */
  'hang',
  /** Says yes, and keeps the values from before. */
  'keep_old',
] as const

export type FaultKind = (typeof faultKinds)[number]

export type Fault = {
  kind: FaultKind
  /** Share of the requests; 1 by default. */
  rate?: number
  /** How often it still happens; without it until it is taken back. */
  times?: number
  /** Only reads or only writes. */
  on?: 'read' | 'write'
  account?: string
  /** Milliseconds, for `slow` and `stale_reads`. */
  ms?: number
  /** Seconds to wait, for `rate_limit`. */
  seconds?: number
}

export type Faults = {
  set(faults: readonly Fault[]): void
  /** The fault of this kind that hits the request; counts it. */
  hit(kind: FaultKind, request: FaultedRequest): Fault | undefined
}

export type FaultedRequest = { isWrite: boolean; account: string | null }

export function faultSwitches(random: () => number = Math.random): Faults {
  let active: Fault[] = []
  const isOf = (fault: Fault, { isWrite, account }: FaultedRequest) =>
    (fault.on === undefined || (fault.on === 'write') === isWrite) &&
    (fault.account === undefined || fault.account === account) &&
    (fault.times === undefined || fault.times > 0)
  return {
    set(faults) {
      active = faults.map((fault) => ({ ...fault }))
    },
    hit(kind, request) {
      const fault = active.find((each) => each.kind === kind && isOf(each, request))
      if (!fault || (fault.rate !== undefined && random() >= fault.rate)) return undefined
      if (fault.times !== undefined) fault.times -= 1
      return fault
    },
  }
}

export const slowDown = async (fault: Fault | undefined): Promise<void> => {
  if (fault) await pause(fault.ms ?? 1_000)
}
