import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type Counters, countRefusal } from '../../observability/counters.ts'
import type { Problem } from '../../problems/problem.ts'

const logEveryMs = 10_000

export type Refusals = {
  /** Counts a refusal; returns whether the request was turned away before processing. */
  note(request: FastifyRequest, problem: Problem): boolean
  /** Counts a request refused before it was parsed. */
  noteTurnedAway(): void
}

/** Refusals are logged in sum: a line for each would add load. */
export function refusalsOf(meters: Counters, log: FastifyBaseLogger): Refusals {
  let unlogged = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  function logRefusals(): void {
    if (unlogged === 0 || performance.now() - loggedAt <= logEveryMs) return
    log.warn({ refused: unlogged }, 'overloaded: requests are refused')
    unlogged = 0
    loggedAt = performance.now()
  }

  function noteOverload(): void {
    countRefusal(meters, 'overloaded')
    unlogged += 1
    logRefusals()
  }

  return {
    noteTurnedAway() {
      meters.turnedAway += 1
      noteOverload()
    },
    note(request, { code }) {
      if (code === 'overloaded') noteOverload()
      else countRefusal(meters, code)
      if (code !== 'overloaded' && code !== 'shutting_down') return false
      request.visit = null
      logRefusals()
      return true
    },
  }
}
