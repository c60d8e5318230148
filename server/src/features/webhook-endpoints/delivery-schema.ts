import { Type } from 'typebox'
import { bodyOf, choice, idOf, orNull, pageOfSchema, Time } from '../../schema/fields.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped', 'cancelled'] as const

const triggers = ['auto', 'manual', 'recover', 'test'] as const

const time = (description: string) => Type.String({ format: 'date-time', description })
const httpStatus = Type.Integer({ minimum: 100, maximum: 999 })

const reply = {
  id: idOf('delivery', 'Delivery identifier.'),
  endpoint_id: idOf('webhook_endpoint'),
  event_id: idOf('event', 'The delivered event; the `webhook-id` of each attempt.'),
  event_type: Type.String({ examples: ['campaign.paused'] }),
  status: choice(deliveryStatuses, {
    description:
      '`pending`: an attempt is due. `failed`: no further attempt follows. `skipped`: the endpoint was disabled; `recover` resends it. `cancelled`: a test that was not sent in time.',
  }),
  trigger: choice(triggers, { description: 'What triggered the next or last attempt.' }),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: orNull(time('Null unless pending.')),
  last_response_status: orNull(httpStatus),
  last_error: orNull(Type.String({ description: 'Why the last attempt failed.' })),
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
      'What failed: `dns`, `forbidden_address`, `connect_refused`, `connect_timeout`, `unreachable`, `tls`, `reset`, `closed_early`, `timeout`, `headers_too_large`, `invalid_response`, `http_status` or `other`; more may be added. `dns`: the name resolves to no permitted address.',
    examples: ['http_status'],
  }),
  message: Type.String({
    description: 'Readable description of the failure.',
    examples: ['the receiver answered 503'],
  }),
})

const WebhookAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    trigger: choice(triggers),
    started_at: Time,
    duration_ms: Type.Integer({ minimum: 0 }),
    address: orNull(Type.String({ description: 'The IP address of the connection.' })),
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
          'The exact text that was sent and signed; null if the event is no longer stored.',
      }),
    ),
    attempts: Type.Array(WebhookAttempt, {
      description: `In order; at most the last ${maxAttempts}.`,
    }),
  },
  { title: 'WebhookDeliveryDetails' },
)
export type WebhookDeliveryDetails = Type.Static<typeof WebhookDeliveryDetails>

export const keptDays = 30

export const Recovery = bodyOf(
  {
    since: time(`Deliveries created at or after this time; they are kept for ${keptDays} days.`),
    until: Type.Optional(orNull(time('Deliveries created before this time. Default: now.'))),
  },
  { title: 'Recovery' },
)
export type Recovery = Type.Static<typeof Recovery>

/** The organization's other writes wait for this statement: two seconds when measured. */
export const maxBatch = 50_000

export const Recovered = Type.Object(
  {
    recovered: Type.Integer({
      minimum: 0,
      description: `Number of deliveries being resent: the oldest ones, at most ${maxBatch} per request.`,
    }),
    has_more: Type.Boolean({ description: 'True if there may be more: repeat the request.' }),
  },
  { title: 'Recovered' },
)
export type Recovered = Type.Static<typeof Recovered>
