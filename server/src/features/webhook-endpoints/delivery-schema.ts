import { Type } from 'typebox'
import { bodyOf, choice, idOf, orNull, pageOfSchema, Time } from '../../schema/fields.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped', 'cancelled'] as const

const triggers = ['auto', 'manual', 'recover', 'test'] as const

const time = (description: string) => Type.String({ format: 'date-time', description })
const httpStatus = Type.Integer({ minimum: 100, maximum: 999 })

const reply = {
  id: idOf('delivery', 'Delivery identifier.'),
  endpoint_id: idOf('webhook_endpoint'),
  event_id: idOf('event', 'The event that is told: the `webhook-id` of each attempt.'),
  event_type: Type.String({ examples: ['campaign.paused'] }),
  status: choice(deliveryStatuses, {
    description:
      '`pending`: an attempt is to come. `failed`: no further one follows. `skipped`: the endpoint was disabled; `recover` sends it. `cancelled`: a test that came too late.',
  }),
  trigger: choice(triggers, { description: 'What the next attempt, or the last one, is due to.' }),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: orNull(time('Null unless pending.')),
  last_response_status: orNull(httpStatus),
  last_error: orNull(Type.String({ description: 'Why the last attempt failed, in words.' })),
  created_at: Time,
  updated_at: Time,
}

export const WebhookDelivery = Type.Object(reply, { title: 'WebhookDelivery' })
export type WebhookDelivery = Type.Static<typeof WebhookDelivery>

export const WebhookDeliveryList = pageOfSchema(WebhookDelivery)

const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
})

const AttemptError = Type.Object({
  kind: Type.String({
    description:
      'Where it went wrong: `dns`, `forbidden_address`, `connect_refused`, `connect_timeout`, `unreachable`, `tls`, `reset`, `closed_early`, `timeout`, `headers_too_large`, `invalid_response`, `http_status` or `other`; more may be added. `dns`: the name has no address that may be reached.',
    examples: ['http_status'],
  }),
  message: Type.String({
    description: 'The same in words.',
    examples: ['the receiver answered 503'],
  }),
})

const WebhookAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    trigger: choice(triggers),
    started_at: Time,
    duration_ms: Type.Integer({ minimum: 0 }),
    address: orNull(Type.String({ description: 'The IP address that was connected to.' })),
    request_headers: Headers,
    response_status: orNull(httpStatus),
    response_headers: orNull(Headers),
    response_body: orNull(Type.String({ description: 'The first 16 KiB.' })),
    error: orNull(AttemptError),
  },
  { title: 'WebhookAttempt' },
)
export type WebhookAttempt = Type.Static<typeof WebhookAttempt>

export const maxAttempts = 100

export const WebhookDeliveryDetails = Type.Object(
  {
    ...reply,
    request_body: orNull(
      Type.String({
        description:
          'The exact text that is sent and signed; null when the event is no longer stored.',
      }),
    ),
    attempts: Type.Array(WebhookAttempt, {
      description: `In their order; of more than ${maxAttempts}, the last ${maxAttempts}.`,
    }),
  },
  { title: 'WebhookDeliveryDetails' },
)
export type WebhookDeliveryDetails = Type.Static<typeof WebhookDeliveryDetails>

export const keptDays = 30

export const Recovery = bodyOf(
  {
    since: time(`Deliveries made at this time or later; they are kept for ${keptDays} days.`),
    until: Type.Optional(orNull(time('Deliveries made before this time; left out: now.'))),
  },
  { title: 'Recovery' },
)
export type Recovery = Type.Static<typeof Recovery>

/** The organization's other writes wait for the statement: two seconds, where it was measured. */
export const maxBatch = 50_000

export const Recovered = Type.Object(
  {
    recovered: Type.Integer({
      minimum: 0,
      description: `How many deliveries go out again: the oldest, at most ${maxBatch} at once.`,
    }),
    has_more: Type.Boolean({ description: 'True when there may be more: ask again.' }),
  },
  { title: 'Recovered' },
)
export type Recovered = Type.Static<typeof Recovered>
