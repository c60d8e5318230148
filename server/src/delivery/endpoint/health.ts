import type { Clock } from '../../values/clock.ts'
import type { EndpointStatusChanges } from '../deps.ts'
import type { Endpoint } from '../due.ts'
import type { Health, Result } from '../record.ts'

const failuresBeforePause = 10
const pauseMs = 60_000
const disableAfterMs = 5 * 24 * 60 * 60 * 1000
const gone = 410

type StatusChange = keyof EndpointStatusChanges

/** Tracks an endpoint's health from its attempts. */
export type HealthTracker = {
  /** Starts from the database's values, if this process has no newer ones. */
  begin(endpoint: Endpoint): void
  note(result: Result): void
  /** The values to record. */
  now(): Health
  /** Returns the status changes since the last call. */
  takeChanges(): readonly StatusChange[]
  /** Puts back a change that could not be recorded. */
  retryChange(change: StatusChange): void
  /** Paused, or gone (410), or failing for days. */
  isHeld(): boolean
}

export function healthOf(clock: Clock): HealthTracker {
  let health: Health = healthy
  let changes: StatusChange[] = []
  let isOver = false

  function add(change: StatusChange): void {
    if (change === 'failing' || !isOver) changes.push(change)
    if (change !== 'failing') isOver = true
  }

  return {
    begin: (endpoint) => {
      isOver = false
      health = healthIn(endpoint)
    },
    note: (result) => {
      const now = clock.now()
      health = healthAfter(health, result, now)
      const change = changeAfter(health, result, now)
      if (change) add(change)
    },
    now: () => health,
    takeChanges: () => {
      const taken = changes
      changes = []
      return taken
    },
    retryChange: (change) => void changes.push(change),
    isHeld: () => isOver || isPaused(health, clock.now()),
  }
}

const healthy: Health = {
  lastSuccessAt: null,
  lastFailureAt: null,
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
}

const healthIn = (endpoint: Endpoint): Health => ({
  ...healthy,
  consecutiveFailures: endpoint.consecutive_failures,
  failingSince: endpoint.failing_since,
  pausedUntil: endpoint.paused_until,
})

/** A test sets only the times of the last success and failure. */
function healthAfter(health: Health, { trigger, outcome }: Result, now: Date): Health {
  const at = now.toISOString()
  if (!outcome.error) return { ...(trigger === 'test' ? health : healthy), lastSuccessAt: at }
  if (trigger === 'test') return { ...health, lastFailureAt: at }
  const consecutiveFailures = health.consecutiveFailures + 1
  return {
    ...health,
    lastFailureAt: at,
    consecutiveFailures,
    failingSince: health.failingSince ?? at,
    pausedUntil: consecutiveFailures < failuresBeforePause ? null : later(now, pauseMs),
  }
}

/** A test shows no more than that the endpoint is gone. */
function changeAfter(
  { failingSince, consecutiveFailures }: Health,
  { trigger, outcome }: Result,
  now: Date,
): StatusChange | undefined {
  if (outcome.response_status === gone) return 'gone'
  if (trigger === 'test' || !outcome.error) return undefined
  if (Date.parse(failingSince ?? '') <= now.getTime() - disableAfterMs) return 'dead'
  return consecutiveFailures === failuresBeforePause ? 'failing' : undefined
}

const isPaused = ({ pausedUntil }: Health, now: Date): boolean =>
  pausedUntil !== null && Date.parse(pausedUntil) > now.getTime()

const later = (time: Date, milliseconds: number) =>
  new Date(time.getTime() + milliseconds).toISOString()
