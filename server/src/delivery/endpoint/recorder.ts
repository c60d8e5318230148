import { setTimeout as sleep } from 'node:timers/promises'
import { type Collected, type Collector, collector } from '../../concurrency/collector.ts'
import { countAttempt } from '../../observability/counters.ts'
import { report } from '../deps.ts'
import type { EndpointKey } from '../due.ts'
import { pauseEndpoint, type Result, recordResults } from '../record.ts'
import type { EndpointDeps } from './attempt.ts'
import type { HandledDeliveries } from './handled.ts'
import type { HealthTracker } from './health.ts'
import type { InFlight } from './in-flight.ts'
import type { Storing } from './storing.ts'

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
  /** The URL at the last read. */
  url(): string
  health: HealthTracker
  handled: HandledDeliveries
  inFlight: InFlight
  storing: Storing
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

/**
 * Tries until the results are recorded, and returns them. What is not when the worker stops stays due,
 * and is sent again.
 */
async function recordAll(
  results: Collected<Result>,
  recording: Recording,
): Promise<readonly Result[]> {
  const batch: Result[] = []
  const { storing } = recording
  while (!(await isRecorded(batch, results, recording)) && !storing.isOver) await storing.wait()
  storing.end()
  await reportStatusChanges(recording)
  for (const result of batch) remindOf(recording, result)
  return batch
}

async function isRecorded(
  batch: Result[],
  results: Collected<Result>,
  recording: Recording,
): Promise<boolean> {
  try {
    await recording.deps.databaseSlots.recording(() => {
      // Taken only now, to include what arrived while waiting for the slot.
      batch.push(...results.take())
      return recordBatch(recording, batch)
    })
    return true
  } catch (err) {
    await keepPaused(recording, recording.storing.failed(err))
    return false
  }
}

/** If the database stores that much: then a process that takes over waits as long. */
async function keepPaused({ deps, key }: Recording, waitMs: number): Promise<void> {
  const until = new Date(deps.clock.now().getTime() + waitMs).toISOString()
  const pause = { key, until, aheadMs: deps.aheadMs() }
  await pauseEndpoint(deps.services.database, pause).catch(() => {})
}

async function recordBatch(
  { deps, key, health, url }: Recording,
  results: readonly Result[],
): Promise<void> {
  const [now, aheadMs] = [deps.clock.now().toISOString(), deps.aheadMs()]
  const state = { health: health.now(), url: url() }
  await recordResults(deps.services.database, { key, results, ...state, now, aheadMs })
  for (const { status } of results) countAttempt(deps.services.observability.counters, status)
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
