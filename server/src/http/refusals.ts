import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Problem } from '../kernel/errors.ts'
import { countRefusal, type Meters } from '../kernel/meters.ts'

const tellEveryMs = 10_000

/**
 * Answers whether a problem is a request turned away before its work, and counts those. The log is
 * told of them in sum: a line for each would be one more load.
 */
export function refusalsOf(
  meters: Meters,
  log: FastifyBaseLogger,
): (request: FastifyRequest, problem: Problem) => boolean {
  let untold = 0
  let toldAt = Number.NEGATIVE_INFINITY

  return (request, { code }) => {
    countRefusal(meters, code)
    if (code !== 'overloaded' && code !== 'shutting_down') return false
    request.visit = null
    if (code === 'overloaded') untold += 1
    if (untold > 0 && performance.now() - toldAt > tellEveryMs) {
      log.warn({ refused: untold }, 'too much is under way: requests are refused')
      untold = 0
      toldAt = performance.now()
    }
    return true
  }
}
