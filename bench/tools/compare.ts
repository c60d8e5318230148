import { measure } from './load.ts'
import type { Running } from './processes.ts'
import type { Requests } from './requests.ts'
import type { Comparison } from './table.ts'

export type Pair = { service: Running; yardstick: Running }

/** Seconds per measurement, and number of rounds. */
export type Effort = { seconds: number; rounds: number }

/** Alternates, so that drift of the machine affects both alike. */
export async function compare(
  what: string,
  { service, yardstick }: Pair,
  { requests, effort: { seconds, rounds } }: { requests: Requests; effort: Effort },
): Promise<Comparison> {
  await measure({ port: yardstick.port, next: requests.bare, seconds: Math.min(1, seconds) })
  await measure({ port: service.port, next: requests.ours, seconds: Math.min(1, seconds) })
  const comparison: Comparison = { what, bare: [], ours: [] }
  for (let round = 0; round < rounds; round += 1) {
    comparison.bare.push(await measure({ port: yardstick.port, next: requests.bare, seconds }))
    comparison.ours.push(await measure({ port: service.port, next: requests.ours, seconds }))
  }
  return comparison
}
