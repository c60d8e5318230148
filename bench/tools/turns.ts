/** Loads the service in two states in turns, because machines drift. */
import { setTimeout as sleep } from 'node:timers/promises'
import { measure, type NextRequest } from './load.ts'
import { quantile } from './paced.ts'
import { cpuMsOf, type Running } from './processes.ts'
import { median } from './table.ts'

export type Turn = { perSecond: number; cpuUs: number }

const restMs = 1_000

export async function takeTurn(
  { port, pid }: Running,
  next: NextRequest,
  seconds: number,
): Promise<Turn> {
  await sleep(restMs)
  const cpuMs = cpuMsOf(pid)
  const { perSecond } = await measure({ port, next, seconds })
  return { perSecond, cpuUs: ((cpuMsOf(pid) - cpuMs) * 1000) / (perSecond * seconds) }
}

/**
 * Compares each turn with the two plain ones around it. Plain ones, compared the same way, show how
 * much of the difference is chance.
 */
export function turnRows(what: string, plain: Turn[], special: Turn[]) {
  const row = (figure: string, of: (turn: Turn) => number) => {
    const [without, during] = [plain.map(of), special.map(of)]
    const chance = spreadOf(without.slice(1, -1), without, without.slice(2))
    const effect = spreadOf(during, without, without.slice(1))
    const [before, after] = [median(without).toFixed(0), median(during).toFixed(0)]
    return [`${what}: ${figure}`, `${before} · ${after} (${effect}; by chance ${chance})`] as const
  }
  return [
    row('requests a second', ({ perSecond }) => perSecond),
    row('µs of CPU of the service', ({ cpuUs }) => cpuUs),
  ] as const
}

/** Each value against the mean of its neighbours: the median and the middle half of the ratios. */
export function spreadOf(values: number[], before: number[], after: number[]): string {
  const ratios = values.map((value, at) => (2 * value) / ((before[at] ?? 0) + (after[at] ?? 0)))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  return `${middle} ×, ${low} to ${high}`
}
