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

/** Each batch is a commit: with so many under way, more is worth waiting for. */
const busyThreshold = 5
const gatherMs = 5
/** Failures are in no hurry, and those of one that hangs come together. */
const gatherFailuresMs = 50

/** The attempts of one lane: those under way, and those not yet recorded. */
export type Attempts = {
  /** Those under way or not yet recorded: the database still shows them as due. */
  readonly busyCount: number
  /** Keeps in mind what happens from now on; a reading begins with it. */
  since(): Since
  readonly underWay: number
  readonly failuresInARow: number
  /** It is paused, or has answered that it is gone: only what people ask for may go. */
  readonly isHeld: boolean
  /** The time of the endpoint's organization. */
  now(): string
  /** The endpoint as it was read: believed while nothing newer is known here. */
  syncEndpoint(endpoint: Endpoint, since: Since): void
  begin(endpoint: Endpoint, delivery: DueDelivery): void
  /** Once any of those under way has ended. */
  slotFreed(): Promise<void>
  allRecorded(): Promise<void>
}

/** A reading from then may be too old to show what was recorded after it began. */
export type Since = {
  /** Whether a delivery that was read as due is under way, or was recorded since; it is looked at again. */
  passesOver(deliveryId: string): boolean
  isQuiet(): boolean
  end(): void
}

/** `lookAgain`: a reading has passed over something that may be due all the same. */
type AttemptBatch = { lookAgain(): void; remind(afterMs: number): void }

/** The clock is that of the endpoint's organization, and so much ahead. */
type EndpointDeps = DeliveryDeps & { clock: Clock; aheadMs(): number }

export function attemptsOf(
  shared: DeliveryDeps,
  key: EndpointKey,
  { lookAgain, remind }: AttemptBatch,
): Attempts {
  let aheadMs = 0
  let secrets: Secrets | undefined
  const clock = aheadOf(shared.services.clock, () => aheadMs)
  const kit: EndpointDeps = { ...shared, clock, aheadMs: () => aheadMs }
  const busy = new Set<string>()
  /** For each reading in use, what was recorded since it began. */
  const settled = new Set<Set<string>>()
  const underWay = new Set<Promise<void>>()
  const health = healthOf(kit.clock)
  let results: Result[] = []
  let recording: Promise<void> | undefined
  /** A reading passed over one of those under way: it may be asked for once more. */
  let isPassedOver = false
  let freed = Promise.withResolvers<void>()

  function markRecorded(deliveryId: string): void {
    busy.delete(deliveryId)
    for (const each of settled) each.add(deliveryId)
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

  /** Later ones are found by looking: a second of five minutes is little. So is the end of a pause. */
  function remindOf({ nextAttemptAt }: Result): void {
    if (nextAttemptAt === null || isHeld()) return
    const afterMs = Date.parse(nextAttemptAt) - kit.clock.now().getTime()
    if (afterMs <= reminderIntervalMs) remind(afterMs)
  }

  async function gather(): Promise<void> {
    if (results.every(({ outcome }) => outcome.error)) await sleep(gatherFailuresMs)
    else if (underWay.size >= busyThreshold) await sleep(gatherMs)
  }

  /** What comes in while a batch is written makes up the next; of a backlog, what comes in a moment. */
  async function recordAll(): Promise<void> {
    while (results.length > 0) {
      await gather()
      let batch: readonly Result[] = []
      try {
        await kit.databaseSlots.recording(() => {
          // What came in until now goes along.
          batch = results
          results = []
          return recordBatch(kit, key, batch, health.now())
        })
        await reportStatusChanges(kit, key, health)
        batch.forEach(remindOf)
      } catch (err) {
        // They stay due, and are sent again when they are next looked for: better twice than never.
        kit.logger.error({ err, ...key }, 'deliveries could not be recorded')
      }
      for (const { deliveryId } of batch) markRecorded(deliveryId)
      if (isPassedOver) lookAgain()
      isPassedOver = false
    }
  }

  return {
    get busyCount() {
      return busy.size
    },
    since: () => {
      const recorded = new Set<string>()
      settled.add(recorded)
      return {
        passesOver: (id) => {
          if (busy.has(id)) isPassedOver = true
          else if (recorded.has(id)) lookAgain()
          else return false
          return true
        },
        isQuiet: () => busy.size === 0 && recorded.size === 0,
        end: () => settled.delete(recorded),
      }
    },
    get underWay() {
      return underWay.size
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
      // Opened once for all that was read together.
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
          underWay.delete(done)
          freed.resolve()
          freed = Promise.withResolvers<void>()
        })
      underWay.add(done)
    },
    slotFreed: () => freed.promise,
    allRecorded: async () => {
      while (underWay.size > 0 || recording) {
        await Promise.all(underWay)
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
  for (const verdict of health.verdicts()) {
    await kit.statusChanges[verdict](key).catch((err: unknown) => {
      kit.logger.error({ err, ...key, verdict }, 'a verdict on an endpoint could not be told yet')
      health.again(verdict)
    })
  }
}

type Secrets = ReturnType<typeof openSecrets>
/** What is posted to, and the secrets that sign. */
type Target = { url: string; secrets: Secrets }

const userAgent = `flightdeck-webhooks/${version}`

/** One attempt and what follows from it; undefined when it was broken off by a shutdown. */
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
  // Receivers compare it with their own clocks.
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
