type Refusal = 'rate_limited' | 'overloaded' | 'login_throttled'

/** What an attempt makes of the status of its delivery. */
const outcomes = { succeeded: 'succeeded', failed: 'failed', pending: 'retried' } as const
type Status = keyof typeof outcomes

/** What a process counts of itself, for whoever watches it: plain numbers, which cost nothing. */
export type Meters = {
  readonly refused: Record<Refusal, number>
  /** Attempts of webhook deliveries, by what came of the delivery. */
  readonly deliveries: Record<(typeof outcomes)[Status], number>
  eventStreams: number
}

export const openMeters = (): Meters => ({
  refused: { rate_limited: 0, overloaded: 0, login_throttled: 0 },
  deliveries: { succeeded: 0, failed: 0, retried: 0 },
  eventStreams: 0,
})

export function countRefusal({ refused }: Meters, code: string): void {
  if (Object.hasOwn(refused, code)) refused[code as Refusal] += 1
}

export function countAttempt({ deliveries }: Meters, status: Status): void {
  deliveries[outcomes[status]] += 1
}
