import type { Clock } from '../values/clock.ts'
import type { EndpointStatusChanges } from './deps.ts'
import type { Endpoint } from './due.ts'
import type { Health, Result } from './record.ts'

const failuresBeforePause = 10
const pauseMs = 60_000
const disableAfterMs = 5 * 24 * 60 * 60 * 1000
const gone = 410

type StatusChange = keyof EndpointStatusChanges

/** Tracks an endpoint's health from its attempts. */
export function healthOf(clock: Clock) {
  let health: Health = healthy
  let changes: StatusChange[] = []
  let isOver = false

  /** A test sets only the times of the last success and failure; 410 still disables. */
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
    else if (failures === failuresBeforePause) changes.push('failing')
  }

  function end(change: StatusChange): void {
    if (!isOver) changes.push(change)
    isOver = true
  }

  return {
    /** Starts from the database's values, if this process has no newer ones. */
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
    /** The values to record. */
    now: (): Health => health,
    /** Returns the status changes since the last call. */
    takeChanges(): readonly StatusChange[] {
      const taken = changes
      changes = []
      return taken
    },
    /** Puts back a change that could not be recorded. */
    retryChange: (change: StatusChange) => void changes.push(change),
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
