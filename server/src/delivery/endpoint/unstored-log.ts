import type { Counters } from '../../observability/counters.ts'
import type { FailureLog } from '../../observability/failure-log.ts'
import type { Logger } from '../../observability/logger.ts'
import { secondsSince } from '../../values/times.ts'
import type { EndpointKey } from '../due.ts'

/**
 * The endpoints of this process whose attempts cannot be stored: a metric, one line a minute, and one
 * when all can be again.
 */
export type UnstoredLog = {
  failed(key: EndpointKey, err: unknown): void
  /** Outcomes are stored again, or were given up. */
  ended(key: EndpointKey, how: { isStored: boolean }): void
}

type UnstoredLogDeps = {
  counters: Counters
  failures: Pick<FailureLog, 'isOutage'>
  logger: Logger
}

const lineEveryMs = 60_000

export function unstoredLog({ counters, failures, logger }: UnstoredLogDeps): UnstoredLog {
  const endpoints = new Set<string>()
  let sinceMs = 0
  /**
   * The time of the last line; kept when all is well again, so that a flapping database fills no
   * log.
   */
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isSaid = false

  function count(): void {
    counters.endpointsStalled = endpoints.size
  }

  return {
    failed: (key, err) => {
      const now = performance.now()
      if (endpoints.size === 0) sinceMs = now
      endpoints.add(key.endpointId)
      count()
      if (failures.isOutage('webhook delivery', err) || now - saidAtMs < lineEveryMs) return
      saidAtMs = now
      isSaid = true
      logger.error({ err, ...key, endpoints: endpoints.size }, unstoredText)
    },
    ended: ({ endpointId }, { isStored }) => {
      endpoints.delete(endpointId)
      count()
      if (endpoints.size > 0 || !isSaid || !isStored) return
      isSaid = false
      logger.info({ seconds: secondsSince(sinceMs) }, storedText)
    },
  }
}

const unstoredText =
  'outcomes of webhook attempts cannot be stored: nothing is sent to these endpoints until they can'
const storedText = 'outcomes of webhook attempts are stored again'
