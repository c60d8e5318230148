type Refusal = 'rate_limited' | 'overloaded' | 'login_throttled'

/** What an attempt makes of the status of its delivery. */
const outcomes = { succeeded: 'succeeded', failed: 'failed', pending: 'retried' } as const
type Status = keyof typeof outcomes

type JobOutcome = 'succeeded' | 'failed'

/** What a process counts of itself, for whoever watches it: plain numbers, which cost nothing. */
export type Counters = {
  readonly refused: Record<Refusal, number>
  /** Attempts of webhook deliveries, by what came of the delivery. */
  readonly deliveries: Record<(typeof outcomes)[Status], number>
  /** Jobs at fixed times that this process runs, by name. */
  readonly jobs: Map<string, Record<JobOutcome, number>>
  eventStreams: number
  /** Requests that were refused before it was known what they are. */
  turnedAway: number
}

export const openCounters = (): Counters => ({
  refused: { rate_limited: 0, overloaded: 0, login_throttled: 0 },
  deliveries: { succeeded: 0, failed: 0, retried: 0 },
  jobs: new Map(),
  eventStreams: 0,
  turnedAway: 0,
})

export function countRefusal({ refused }: Counters, code: string): void {
  if (Object.hasOwn(refused, code)) refused[code as Refusal] += 1
}

export function countAttempt({ deliveries }: Counters, status: Status): void {
  deliveries[outcomes[status]] += 1
}

/** From the beginning, or the first failure could not be told from a process that has just started. */
export function expectJob({ jobs }: Counters, name: string): void {
  jobs.set(name, { succeeded: 0, failed: 0, ...jobs.get(name) })
}

export function countJob(meters: Counters, name: string, outcome: JobOutcome): void {
  expectJob(meters, name)
  const counts = meters.jobs.get(name)
  if (counts) counts[outcome] += 1
}
