import { Type } from 'typebox'
import { bodyOf, choice, idOf, orNull, pageOfSchema, text, time } from '../../schema/fields.ts'
import { deliveryIds, eventIds } from '../../values/core-ids.ts'
import { webhookEndpointIds } from './resource.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped', 'cancelled'] as const

const triggers = ['auto', 'manual', 'recover', 'test'] as const

const httpStatus = (description: string) =>
  Type.Integer({ minimum: 100, maximum: 999, description })

const reply = {
  id: idOf(deliveryIds, 'Delivery identifier.'),
  endpoint_id: idOf(webhookEndpointIds, 'The endpoint it goes to.'),
  event_id: idOf(eventIds, 'The delivered event; the `webhook-id` of each attempt.'),
  event_type: text('Type of the event.'),
  status: choice(deliveryStatuses, {
    title: 'WebhookDeliveryStatus',
    description:
      '`pending`: an attempt is due. `failed`: no further attempt follows. `skipped`: the endpoint was disabled; `recover` resends it. `cancelled`: a test that was not sent in time.',
  }),
  trigger: choice(triggers, { description: 'What triggered the next or last attempt.' }),
  attempt_count: Type.Integer({ minimum: 0, description: 'Attempts so far.' }),
  next_attempt_at: orNull(time('When the next attempt is due; null unless pending.')),
  last_response_status: orNull(
    httpStatus('HTTP status of the last response; null if there was none.'),
  ),
  last_error: orNull(text('Why the last attempt failed.')),
  created_at: time('When the event was queued for the endpoint.'),
  updated_at: time('When it last changed.'),
}

export const WebhookDelivery = Type.Object(reply, {
  title: 'WebhookDelivery',
  description: 'An event on its way to an endpoint.',
})
export type WebhookDelivery = Type.Static<typeof WebhookDelivery>

export const WebhookDeliveryList = pageOfSchema(WebhookDelivery)

const headers = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
  })

const AttemptError = Type.Object(
  {
    kind: text(
      'What failed: `dns`, `forbidden_address`, `connect_refused`, `connect_timeout`, `unreachable`, `tls`, `reset`, `closed_early`, `timeout`, `headers_too_large`, `invalid_response`, `http_status` or `other`; more may be added. `dns`: the name resolves to no permitted address.',
    ),
    message: text('Readable description of the failure.'),
  },
  { title: 'WebhookAttemptError', description: 'Why the attempt failed.' },
)

const WebhookAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Counts the attempts from 1.' }),
    trigger: choice(triggers, { description: 'What triggered it.' }),
    started_at: time('When it began.'),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
    address: orNull(text('The IP address of the connection.')),
    request_headers: headers('Headers of the request, by name.'),
    response_status: orNull(httpStatus('HTTP status of the response; null if there was none.')),
    response_headers: orNull(headers('Headers of the response, by name.')),
    response_body: orNull(text('The first 16 KiB of the response’s body.')),
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
  { title: 'WebhookDeliveryDetails', basedOn: WebhookDelivery },
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
