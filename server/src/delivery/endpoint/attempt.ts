import type { openSecrets } from '../../crypto/webhook-secret.ts'
import type { Clock } from '../../values/clock.ts'
import { version } from '../../version.ts'
import type { DeliveryDeps } from '../deps.ts'
import type { DueDelivery } from '../due.ts'
import type { Result } from '../record.ts'
import { nextAttemptAt } from '../retry-schedule.ts'
import type { SendOutcome } from '../sending/send.ts'
import { signatureHeaders } from '../sending/signature.ts'

/** The clock of the endpoint's organization, and how far it is ahead of real time. */
export type EndpointDeps = DeliveryDeps & { clock: Clock; aheadMs(): number }

export type Secrets = ReturnType<typeof openSecrets>
/** The URL, and the secrets to sign with. */
type AttemptTarget = { url: string; secrets: Secrets }

const userAgent = `flightdeck-webhooks/${version}`

/** Makes one attempt and schedules the next; undefined when a shutdown aborted it. */
export async function attemptOnce(
  deps: EndpointDeps,
  { url, secrets }: AttemptTarget,
  delivery: DueDelivery,
): Promise<Result | undefined> {
  const startedAt = deps.clock.now()
  const { body } = delivery
  const headers = body === null ? {} : headersFor(deps, secrets, { ...delivery, body })
  const outcome =
    body === null ? withoutBody(startedAt) : await deps.sender.send({ url, headers, body })
  if (outcome.error?.kind === 'aborted') return undefined
  return {
    deliveryId: delivery.id,
    number: delivery.attempt_count + 1,
    trigger: delivery.trigger,
    dueAt: delivery.next_attempt_at,
    aheadMs: deps.aheadMs(),
    requestHeaders: headers,
    outcome: { ...outcome, started_at: startedAt.toISOString() },
    ...nextStep(deps, delivery, outcome),
  }
}

type Signed = Pick<DueDelivery, 'event_id'> & { body: string }

function headersFor(
  deps: DeliveryDeps,
  secrets: Secrets,
  { body, event_id: eventId }: Signed,
): Record<string, string> {
  // Real time, as receivers compare it with their own clocks.
  const timestamp = Math.floor(deps.services.clock.now().getTime() / 1000)
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
  outcome: SendOutcome,
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

const withoutBody = (startedAt: Date): SendOutcome => ({
  started_at: startedAt.toISOString(),
  duration_ms: 0,
  address: null,
  response_status: null,
  response_headers: null,
  response_body: null,
  error: { kind: 'other', message: 'the event is older than 30 days and no longer stored' },
})
