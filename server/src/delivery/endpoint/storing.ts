import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from '../../database/unavailable.ts'
import type { EndpointKey } from '../due.ts'
import type { UnstoredLog } from './unstored-log.ts'

/**
 * Whether the outcomes of an endpoint's attempts can be stored. While they cannot, nothing is sent to
 * it: the database would show it as due again, for ever.
 */
export type Storing = {
  readonly isBlocked: boolean
  /** Resolves when outcomes can be stored again, or the worker stops. */
  unblocked(): Promise<void>
  /** Whether the worker has stopped: another try would be the last. */
  readonly isOver: boolean
  /** Returns in how many milliseconds to try again: longer each time. */
  failed(err: unknown): number
  /** Resolves after that time, or when the worker stops. */
  wait(): Promise<void>
  /** Outcomes were stored, or were given up with the worker. */
  end(): void
}

type StoringRules = {
  key: EndpointKey
  /** Seconds, as between the attempts of a delivery that fails. */
  schedule: readonly number[]
  log: UnstoredLog
  stopped: AbortSignal
}

/** Nothing is sent until then, so a longer wait would only delay what follows the repair. */
const maxWaitMs = 60_000
/** The database is tried as often as by others: it refuses everybody. */
const outageWaitMs = 1_000

export function storingOf({ key, schedule, log, stopped }: StoringRules): Storing {
  let tries = 0
  let waitMs = 0
  let blocked: PromiseWithResolvers<void> | undefined

  function waitAfter(err: unknown): number {
    if (isDatabaseDown(err)) return outageWaitMs
    const seconds = schedule[tries] ?? schedule.at(-1) ?? 0
    tries += 1
    return Math.min(seconds * 1000, maxWaitMs)
  }

  return {
    get isBlocked() {
      return blocked !== undefined
    },
    get isOver() {
      return stopped.aborted
    },
    unblocked: async () => await blocked?.promise,
    failed: (err) => {
      blocked ??= Promise.withResolvers()
      log.failed(key, err)
      waitMs = waitAfter(err)
      return waitMs
    },
    wait: () => sleep(waitMs, undefined, { signal: stopped }).catch(() => {}),
    end: () => {
      if (!blocked) return
      tries = 0
      log.ended(key, { isStored: !stopped.aborted })
      blocked.resolve()
      blocked = undefined
    },
  }
}
