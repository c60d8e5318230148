import { setTimeout as sleep } from 'node:timers/promises'
import { type Collected, type Collector, collector } from '../concurrency/collector.ts'
import { countAttempt } from '../observability/counters.ts'
import type { EndpointDeps } from './attempt.ts'
import { report } from './deps.ts'
import type { EndpointKey } from './due.ts'
import type { HandledDeliveries } from './handled.ts'
import type { HealthTracker } from './health.ts'
import type { InFlight } from './in-flight.ts'
import { type Result, recordResults } from './record.ts'

const reminderIntervalMs = 60_000

/** With more attempts than this in flight, recording waits to put more into one commit. */
const busyThreshold = 5
const gatherMs = 5
/** Failures are not urgent, and those of a hanging endpoint come together. */
const gatherFailuresMs = 50

/** One endpoint's worker, as far as recording needs it. */
type Recording = {
  deps: EndpointDeps
  key: EndpointKey
  /** Of the last read. */
  url(): string
  health: HealthTracker
  handled: HandledDeliveries
  inFlight: InFlight
  remind(afterMs: number): void
}

/** Results that arrive while a batch is written form the next; under load it waits for more. */
export const recorderOf = (recording: Recording): Collector<Result> =>
  collector(async (results) => {
    await gather(results, recording.inFlight)
    for (const { deliveryId } of await recordAll(results, recording)) {
      recording.handled.end(deliveryId)
    }
    recording.handled.recheckSkipped()
  })

async function gather({ waiting }: Collected<Result>, inFlight: InFlight): Promise<void> {
  if (waiting.every(({ outcome }) => outcome.error)) await sleep(gatherFailuresMs)
  else if (inFlight.count >= busyThreshold) await sleep(gatherMs)
}

/** Returns the results, recorded or not: those that could not be stay due and are sent again. */
async function recordAll(
  results: Collected<Result>,
  recording: Recording,
): Promise<readonly Result[]> {
  const { deps, key } = recording
  let batch: readonly Result[] = []
  try {
    await deps.databaseSlots.recording(() => {
      // Taken only now, to include what arrived while waiting for the slot.
      batch = results.take()
      return recordBatch(recording, batch)
    })
    await reportStatusChanges(recording)
    for (const result of batch) remindOf(recording, result)
  } catch (err) {
    report(deps, { err, ...key }, 'deliveries could not be recorded')
  }
  return batch
}

async function recordBatch(
  { deps, key, health, url }: Recording,
  results: readonly Result[],
): Promise<void> {
  const [now, aheadMs] = [deps.clock.now().toISOString(), deps.aheadMs()]
  const state = { health: health.now(), url: url() }
  await recordResults(deps.services.database, { key, results, ...state, now, aheadMs })
  for (const { status } of results) countAttempt(deps.services.counters, status)
}

async function reportStatusChanges({ deps, key, health }: Recording): Promise<void> {
  for (const change of health.takeChanges()) {
    await deps.statusChanges[change](key).catch((err: unknown) => {
      report(deps, { err, ...key, change }, 'an endpoint status change could not be recorded yet')
      health.retryChange(change)
    })
  }
}

/** The sweep, every second, is precise enough for later retries and for the ends of pauses. */
function remindOf({ deps, health, remind }: Recording, { nextAttemptAt }: Result): void {
  if (nextAttemptAt === null || health.isHeld()) return
  const afterMs = Date.parse(nextAttemptAt) - deps.clock.now().getTime()
  if (afterMs <= reminderIntervalMs) remind(afterMs)
}
