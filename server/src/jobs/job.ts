import type { Services } from '../kernel/context.ts'

/** Work that the service does by itself at fixed times, on one replica each time. */
export type Job = {
  /** Letters, digits, `-` and `.`: the name of its queue. */
  name: string
  /** Minute, hour, day of month, month, day of week; in UTC. */
  cron: string
  /** Does a bounded step at a time and ends between two of them when the signal says so. */
  run(services: Services, signal: AbortSignal): Promise<Record<string, number>>
}

/** Work that is looked for again and again, on one replica at a time. */
export type SingletonTask = {
  /** Letters, digits, `-` and `.`: the name of its queue. */
  name: string
  everyMs: number
  /** One look, in steps that may be repeated; ends between two of them when the signal says so. */
  run(services: Services, signal: AbortSignal): Promise<void>
}
