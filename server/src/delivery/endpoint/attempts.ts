import type { Collector } from '../../concurrency/collector.ts'
import { type DeliveryDeps, report } from '../deps.ts'
import type { DueDelivery, Endpoint, EndpointKey } from '../due.ts'
import type { Result } from '../record.ts'
import { attemptOnce, type EndpointDeps } from './attempt.ts'
import { type HandledDeliveries, handledDeliveries, type Since } from './handled.ts'
import { type HealthTracker, healthOf } from './health.ts'
import { type InFlight, inFlightAttempts } from './in-flight.ts'
import { type KnownEndpoint, knownEndpoint } from './known-endpoint.ts'
import { recorderOf } from './recorder.ts'
import { type Storing, storingOf } from './storing.ts'

/** The attempts of one endpoint: in flight, or not yet recorded. */
export type Attempts = {
  /** In flight or not yet recorded: the database still shows these as due. */
  readonly busyCount: number
  /** Starts tracking what is recorded from now on; called before each read of due deliveries. */
  since(): Since
  readonly inFlight: number
  readonly failuresInARow: number
  /** Paused, or gone (410): only deliveries requested by hand may be sent. */
  readonly isHeld: boolean
  /** While outcomes cannot be stored, nothing at all may be sent. */
  readonly storing: Pick<Storing, 'isBlocked' | 'unblocked'>
  /** The time of the endpoint's organization, RFC 3339. */
  now(): string
  /** Takes over the endpoint as it was read, except where this process knows better. */
  syncEndpoint(endpoint: Endpoint, since: Since): void
  begin(endpoint: Endpoint, delivery: DueDelivery): void
  /** Resolves when any attempt in flight has ended. */
  slotFreed(): Promise<void>
  allRecorded(): Promise<void>
}

/** `lookAgain`: a read has skipped a delivery that may still be due. */
type WorkerCallbacks = {
  lookAgain(): void
  remind(afterMs: number): void
  /** The worker has stopped. */
  stopped: AbortSignal
}

type AttemptsState = {
  deps: EndpointDeps
  key: EndpointKey
  known: KnownEndpoint
  health: HealthTracker
  handled: HandledDeliveries
  inFlight: InFlight
  storing: Storing
  recorder: Collector<Result>
}

export function attemptsOf(
  shared: DeliveryDeps,
  key: EndpointKey,
  callbacks: WorkerCallbacks,
): Attempts {
  const state = stateOf(shared, key, callbacks)
  const { deps, known, health, handled, inFlight, storing } = state
  return {
    get busyCount() {
      return handled.busyCount
    },
    get inFlight() {
      return inFlight.count
    },
    get failuresInARow() {
      return health.now().consecutiveFailures
    },
    get isHeld() {
      return health.isHeld()
    },
    storing,
    since: handled.since,
    now: () => deps.clock.now().toISOString(),
    syncEndpoint: (endpoint, since) => {
      const isOther = known.update(endpoint)
      if (isOther || since.isQuiet()) health.begin(endpoint)
    },
    begin: (endpoint, delivery) => {
      handled.begin(delivery.id)
      inFlight.add(attempt(state, endpoint, delivery))
    },
    slotFreed: inFlight.slotFreed,
    allRecorded: () => allRecorded(state),
  }
}

function stateOf(
  shared: DeliveryDeps,
  key: EndpointKey,
  { lookAgain, remind, stopped }: WorkerCallbacks,
): AttemptsState {
  const known = knownEndpoint(shared.services)
  const { clock, aheadMs, url } = known
  const deps = { ...shared, clock, aheadMs }
  const health = healthOf(clock)
  const handled = handledDeliveries(lookAgain)
  const inFlight = inFlightAttempts()
  const schedule = deps.services.config.webhookRetrySchedule
  const storing = storingOf({ key, schedule, log: deps.unstored, stopped })
  const recorder = recorderOf({ deps, key, url, health, handled, inFlight, storing, remind })
  return { deps, key, known, health, handled, inFlight, storing, recorder }
}

async function attempt(
  state: AttemptsState,
  endpoint: Endpoint,
  delivery: DueDelivery,
): Promise<void> {
  const { deps, key, known, health, handled, recorder } = state
  try {
    const target = { url: endpoint.url, secrets: known.secretsOf(endpoint) }
    const result = await attemptOnce(deps, target, delivery)
    if (result === undefined) return handled.end(delivery.id)
    // A result of an earlier URL says nothing about the endpoint's health.
    if (delivery.body !== null && endpoint.url === known.url()) health.note(result)
    recorder.add(result)
  } catch (err) {
    report(deps, { err, ...key }, 'a delivery could not be attempted')
    handled.end(delivery.id)
  }
}

async function allRecorded({ inFlight, recorder }: AttemptsState): Promise<void> {
  while (inFlight.count > 0 || recorder.isWorking) {
    await inFlight.allEnded()
    await recorder.idle()
  }
}
