import { hasKey } from '../values/objects.ts'

type Refusal = 'rate_limited' | 'overloaded' | 'login_throttled'

/** The metric's name for a delivery's status after an attempt. */
const outcomes = { succeeded: 'succeeded', failed: 'failed', pending: 'retried' } as const
type CountedStatus = keyof typeof outcomes

type JobOutcome = 'succeeded' | 'failed'

/** A process's own counters for its metrics: plain numbers, which cost nothing. */
export type Counters = {
  readonly refused: Record<Refusal, number>
  /** Attempts of webhook deliveries, by outcome. */
  readonly deliveries: Record<(typeof outcomes)[CountedStatus], number>
  /** Runs of this process's scheduled jobs, by name. */
  readonly jobs: Map<string, Record<JobOutcome, number>>
  eventStreams: number
  /** Webhook endpoints to which nothing is sent, as outcomes of their attempts cannot be stored. */
  endpointsStalled: number
  /** Requests rejected before routing. */
  turnedAway: number
  /** Writes beyond the storage of the plan. */
  storageRefusals: number
  /** Organizations that came near to the storage of their plan. */
  storageWarnings: number
}

export const openCounters = (): Counters => ({
  refused: { rate_limited: 0, overloaded: 0, login_throttled: 0 },
  deliveries: { succeeded: 0, failed: 0, retried: 0 },
  jobs: new Map(),
  eventStreams: 0,
  endpointsStalled: 0,
  turnedAway: 0,
  storageRefusals: 0,
  storageWarnings: 0,
})

export function countRefusal({ refused }: Counters, code: string): void {
  if (hasKey(refused, code)) refused[code] += 1
}

export function countAttempt({ deliveries }: Counters, status: CountedStatus): void {
  deliveries[outcomes[status]] += 1
}

/** Starts at zero, so that the first failure shows as an increase. */
export function expectJob({ jobs }: Counters, name: string): void {
  jobs.set(name, { succeeded: 0, failed: 0, ...jobs.get(name) })
}

export function countJob(counters: Counters, name: string, outcome: JobOutcome): void {
  expectJob(counters, name)
  const counts = counters.jobs.get(name)
  if (counts) counts[outcome] += 1
}
