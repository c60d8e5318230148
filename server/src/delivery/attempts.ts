import { setTimeout as sleep } from 'node:timers/promises'
import { openSecrets } from '../crypto/webhook-secret.ts'
import { countAttempt } from '../observability/counters.ts'
import { aheadOf, type Clock } from '../values/clock.ts'
import { version } from '../version.ts'
import type { DeliveryDeps } from './deps.ts'
import type { DueDelivery, Endpoint, EndpointKey } from './due.ts'
import { healthOf } from './health.ts'
import { type Health, type Result, recordResults } from './record.ts'
import { nextAttemptAt } from './retry-schedule.ts'
import type { Outcome } from './send.ts'
import { signatureHeaders } from './signature.ts'

const reminderIntervalMs = 60_000

/** With more attempts than this in flight, recording waits to put more into one commit. */
const busyThreshold = 5
const gatherMs = 5
/** Failures are not urgent, and those of a hanging endpoint come together. */
const gatherFailuresMs = 50

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
  /** The time of the endpoint's organization, RFC 3339. */
  now(): string
  /** Takes over the endpoint as it was read, except where this process knows better. */
  syncEndpoint(endpoint: Endpoint, since: Since): void
  begin(endpoint: Endpoint, delivery: DueDelivery): void
  /** Resolves when any attempt in flight has ended. */
  slotFreed(): Promise<void>
  allRecorded(): Promise<void>
}

/** What was recorded since a read began, which the read may not show. */
export type Since = {
  /** Whether a delivery read as due is in flight or was recorded since; it is then read again. */
  alreadyHandled(deliveryId: string): boolean
  isQuiet(): boolean
  end(): void
}

/** `lookAgain`: a read has skipped a delivery that may still be due. */
type WorkerCallbacks = { lookAgain(): void; remind(afterMs: number): void }

/** The clock of the endpoint's organization, and how far it is ahead of real time. */
type EndpointDeps = DeliveryDeps & { clock: Clock; aheadMs(): number }

export function attemptsOf(
  shared: DeliveryDeps,
  key: EndpointKey,
  { lookAgain, remind }: WorkerCallbacks,
): Attempts {
  let aheadMs = 0
  let secrets: Secrets | undefined
  const clock = aheadOf(shared.services.clock, () => aheadMs)
  const kit: EndpointDeps = { ...shared, clock, aheadMs: () => aheadMs }
  const busy = new Set<string>()
  /** For each read in use, the deliveries recorded since it began. */
  const recordedSince = new Set<Set<string>>()
  const inFlight = new Set<Promise<void>>()
  const health = healthOf(kit.clock)
  let results: Result[] = []
  let recording: Promise<void> | undefined
  /** A read has skipped a delivery in flight, which may have been requested once more. */
  let hasSkipped = false
  let freed = Promise.withResolvers<void>()

  function markRecorded(deliveryId: string): void {
    busy.delete(deliveryId)
    for (const each of recordedSince) each.add(deliveryId)
  }

  async function attempt(endpoint: Endpoint, delivery: DueDelivery): Promise<void> {
    secrets ??= openSecrets(kit.services.cipher, endpoint, kit.clock.now().toISOString())
    const result = await attemptOnce(kit, { url: endpoint.url, secrets }, delivery)
    if (result === undefined) return markRecorded(delivery.id)
    if (delivery.body !== null) health.note(result)
    results.push(result)
    recording ??= recordAll().finally(() => {
      recording = undefined
    })
  }

  const isHeld = () => health.isPaused() || health.isOver()

  /** The sweep, every second, is precise enough for later retries and for the ends of pauses. */
  function remindOf({ nextAttemptAt }: Result): void {
    if (nextAttemptAt === null || isHeld()) return
    const afterMs = Date.parse(nextAttemptAt) - kit.clock.now().getTime()
    if (afterMs <= reminderIntervalMs) remind(afterMs)
  }

  async function gather(): Promise<void> {
    if (results.every(({ outcome }) => outcome.error)) await sleep(gatherFailuresMs)
    else if (inFlight.size >= busyThreshold) await sleep(gatherMs)
  }

  /** Results that arrive while a batch is written form the next; under load it waits for more. */
  async function recordAll(): Promise<void> {
    while (results.length > 0) {
      await gather()
      let batch: readonly Result[] = []
      try {
        await kit.databaseSlots.recording(() => {
          // Taken only now, to include what arrived while waiting for the slot.
          batch = results
          results = []
          return recordBatch(kit, key, batch, health.now())
        })
        await reportStatusChanges(kit, key, health)
        batch.forEach(remindOf)
      } catch (err) {
        // They stay due and will be sent again: delivery is at least once.
        kit.logger.error({ err, ...key }, 'deliveries could not be recorded')
      }
      for (const { deliveryId } of batch) markRecorded(deliveryId)
      if (hasSkipped) lookAgain()
      hasSkipped = false
    }
  }

  return {
    get busyCount() {
      return busy.size
    },
    since: () => {
      const recorded = new Set<string>()
      recordedSince.add(recorded)
      return {
        alreadyHandled: (id) => {
          if (busy.has(id)) hasSkipped = true
          else if (recorded.has(id)) lookAgain()
          else return false
          return true
        },
        isQuiet: () => busy.size === 0 && recorded.size === 0,
        end: () => recordedSince.delete(recorded),
      }
    },
    get inFlight() {
      return inFlight.size
    },
    get failuresInARow() {
      return health.now().consecutiveFailures
    },
    get isHeld() {
      return isHeld()
    },
    now: () => kit.clock.now().toISOString(),
    syncEndpoint: (endpoint, since) => {
      const isSetBack = endpoint.clock_ahead_ms < aheadMs
      aheadMs = endpoint.clock_ahead_ms
      // Decrypted once per read, by the next attempt.
      secrets = undefined
      if (since.isQuiet() || isSetBack) health.begin(endpoint)
    },
    begin: (endpoint, delivery) => {
      busy.add(delivery.id)
      const done = attempt(endpoint, delivery)
        .catch((err) => {
          kit.logger.error({ err, ...key }, 'a delivery could not be attempted')
          markRecorded(delivery.id)
        })
        .finally(() => {
          inFlight.delete(done)
          freed.resolve()
          freed = Promise.withResolvers<void>()
        })
      inFlight.add(done)
    },
    slotFreed: () => freed.promise,
    allRecorded: async () => {
      while (inFlight.size > 0 || recording) {
        await Promise.all(inFlight)
        await recording
      }
    },
  }
}

async function recordBatch(
  kit: EndpointDeps,
  key: EndpointKey,
  results: readonly Result[],
  health: Health,
): Promise<void> {
  const [now, aheadMs] = [kit.clock.now().toISOString(), kit.aheadMs()]
  await recordResults(kit.services.database, { key, results, health, now, aheadMs })
  for (const { status } of results) countAttempt(kit.services.counters, status)
}

async function reportStatusChanges(
  kit: DeliveryDeps,
  key: EndpointKey,
  health: ReturnType<typeof healthOf>,
): Promise<void> {
  for (const change of health.takeChanges()) {
    await kit.statusChanges[change](key).catch((err: unknown) => {
      kit.logger.error(
        { err, ...key, change },
        'an endpoint status change could not be recorded yet',
      )
      health.retryChange(change)
    })
  }
}

type Secrets = ReturnType<typeof openSecrets>
/** The URL, and the secrets to sign with. */
type Target = { url: string; secrets: Secrets }

const userAgent = `flightdeck-webhooks/${version}`

/** Makes one attempt and schedules the next; undefined when a shutdown aborted it. */
async function attemptOnce(
  kit: EndpointDeps,
  { url, secrets }: Target,
  delivery: DueDelivery,
): Promise<Result | undefined> {
  const startedAt = kit.clock.now()
  const { body } = delivery
  const headers = body === null ? {} : headersFor(kit, secrets, { ...delivery, body })
  const outcome =
    body === null ? withoutBody(startedAt) : await kit.sender.send({ url, headers, body })
  if (outcome.error?.kind === 'aborted') return undefined
  return {
    deliveryId: delivery.id,
    number: delivery.attempt_count + 1,
    trigger: delivery.trigger,
    dueAt: delivery.next_attempt_at,
    aheadMs: kit.aheadMs(),
    requestHeaders: headers,
    outcome: { ...outcome, started_at: startedAt.toISOString() },
    ...nextStep(kit, delivery, outcome),
  }
}

type Signed = Pick<DueDelivery, 'event_id'> & { body: string }

function headersFor(
  kit: DeliveryDeps,
  secrets: Secrets,
  { body, event_id: eventId }: Signed,
): Record<string, string> {
  // Real time, as receivers compare it with their own clocks.
  const timestamp = Math.floor(kit.services.clock.now().getTime() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signatureHeaders({ eventId, timestamp, body, secrets }),
  }
}

type Next = Pick<Result, 'status' | 'retryCount' | 'nextAttemptAt'>

const gone = 410

function nextStep(
  { services, clock }: EndpointDeps,
  delivery: DueDelivery,
  outcome: Outcome,
): Next {
  const { retry_count: retryCount } = delivery
  const done = { retryCount, nextAttemptAt: null }
  if (outcome.error === null) return { status: 'succeeded', ...done }
  const isLast = delivery.trigger === 'test' || delivery.body === null
  const next = nextAttemptAt({
    schedule: services.config.webhookRetrySchedule,
    retryCount,
    retryAfter: outcome.response_headers?.['retry-after'] ?? null,
    now: clock.now(),
    random: Math.random(),
  })
  if (isLast || outcome.response_status === gone || next === null) {
    return { status: 'failed', ...done }
  }
  return { status: 'pending', retryCount: retryCount + 1, nextAttemptAt: next.toISOString() }
}

const withoutBody = (startedAt: Date): Outcome => ({
  started_at: startedAt.toISOString(),
  duration_ms: 0,
  address: null,
  response_status: null,
  response_headers: null,
  response_body: null,
  error: { kind: 'other', message: 'the event is older than 30 days and no longer stored' },
})
