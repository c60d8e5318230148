import type { Clock } from '../values/clock.ts'
import type { EndpointStatusChanges } from './deps.ts'
import type { Endpoint } from './due.ts'
import type { Health, Result } from './record.ts'

const failuresBeforePause = 10
const pauseMs = 60_000
const disableAfterMs = 5 * 24 * 60 * 60 * 1000
const gone = 410

type StatusChange = keyof EndpointStatusChanges

/** How an endpoint does, attempt by attempt. */
export function healthOf(clock: Clock) {
  let health: Health = healthy
  let verdicts: StatusChange[] = []
  let isOver = false

  /** A test tells how the endpoint does, and counts for nothing else; but gone is gone. */
  function noteTest({ outcome }: Result): void {
    const now = clock.now().toISOString()
    if (!outcome.error) health = { ...health, lastSuccessAt: now }
    else health = { ...health, lastFailureAt: now }
    if (outcome.response_status === gone) end('gone')
  }

  function fail({ outcome }: Result): void {
    const now = clock.now()
    const failures = health.consecutiveFailures + 1
    health = {
      ...health,
      lastFailureAt: now.toISOString(),
      consecutiveFailures: failures,
      failingSince: health.failingSince ?? now.toISOString(),
      pausedUntil: failures < failuresBeforePause ? null : later(now, pauseMs),
    }
    if (outcome.response_status === gone) end('gone')
    else if (Date.parse(health.failingSince ?? '') <= now.getTime() - disableAfterMs) end('dead')
    else if (failures === failuresBeforePause) verdicts.push('failing')
  }

  function end(verdict: StatusChange): void {
    if (!isOver) verdicts.push(verdict)
    isOver = true
  }

  return {
    /** From what the database knows; only while nothing newer is known here. */
    begin(endpoint: Endpoint): void {
      isOver = false
      health = {
        lastSuccessAt: null,
        lastFailureAt: null,
        consecutiveFailures: endpoint.consecutive_failures,
        failingSince: endpoint.failing_since,
        pausedUntil: endpoint.paused_until,
      }
    },
    note(result: Result): void {
      if (result.trigger === 'test') noteTest(result)
      else if (result.outcome.error) fail(result)
      else health = { ...healthy, lastSuccessAt: clock.now().toISOString() }
    },
    /** What is to be recorded. */
    now: (): Health => health,
    /** What is to be told of the attempts since the last time. */
    verdicts(): readonly StatusChange[] {
      const told = verdicts
      verdicts = []
      return told
    },
    /** It could not be told: the next time, then. */
    again: (verdict: StatusChange) => void verdicts.push(verdict),
    isPaused: () =>
      health.pausedUntil !== null && Date.parse(health.pausedUntil) > clock.now().getTime(),
    isOver: () => isOver,
  }
}

const healthy: Health = {
  lastSuccessAt: null,
  lastFailureAt: null,
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
}

const later = (time: Date, milliseconds: number) =>
  new Date(time.getTime() + milliseconds).toISOString()
