import { Type } from 'typebox'
import { maxUrlLength } from '../../delivery/target.ts'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  Metadata,
  orNull,
  pageOfSchema,
  readOnlyOf,
  shownOnce,
  stamps,
  text,
  time,
} from '../../schema/fields.ts'
import { webhookEndpointIds } from './resource.ts'

export const endpointStatuses = ['enabled', 'disabled'] as const

const Url = Type.String({
  minLength: 1,
  maxLength: maxUrlLength,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
  description:
    'Target of the events: https, without user name and password. A fragment is dropped; outside ASCII the host is stored in its `xn--` form, the rest percent-encoded. Refused are loopback, link-local and cloud metadata addresses and, unless the operator allows them, private addresses, the server’s own addresses, database ports, and ports below 1024 other than 80 and 443.',
  examples: ['https://example.com/hooks/flightdeck'],
})

const eventName = Type.String({
  minLength: 1,
  maxLength: 80,
  publishedAs: 'EventPattern',
})

const Events = Type.Array(eventName, {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Event types, `campaign.*` for all of a resource, `*` for all (the default).',
  examples: [['campaign.*', 'profile.updated']],
})

/** Fields that clients can write. */
const endpointFields = {
  url: Url,
  events: orNull(Events),
  description: orNull(Type.String({ maxLength: 500, description: 'Free text.' })),
  metadata: orNull(Metadata),
}

const reply = {
  id: idOf(webhookEndpointIds, 'Webhook endpoint identifier.'),
  url: Type.String({
    description: 'Target of the events. Events and audit records show its origin only.',
    stated: { format: 'uri' },
  }),
  events: Type.Array(eventName, { description: 'The event types it receives.' }),
  description: orNull(text('Free text.')),
  metadata: Metadata,
  status: choice(endpointStatuses, {
    title: 'WebhookEndpointStatus',
    description: 'A disabled endpoint receives nothing.',
  }),
  disabled_reason: orNull(
    text(
      '`manual`: by a request. `failing`: after 5 days of failures. `gone`: the receiver answered 410.',
    ),
  ),
  last_success_at: orNull(time('When a delivery last succeeded.')),
  last_failure_at: orNull(time('When an attempt last failed.')),
  consecutive_failures: Type.Integer({
    minimum: 0,
    description: 'Failed attempts since the last success.',
  }),
  secret_hint: text('The last four characters of the signing secret.'),
  previous_secret_expires_at: orNull(
    time(
      'Until then previous secrets also sign, each for its own grace period; afterwards only the newest one. Null if there are no previous secrets.',
    ),
  ),
  ...stamps,
}

export const WebhookEndpoint = Type.Object(reply, {
  title: 'WebhookEndpoint',
  description: 'A URL that receives events.',
})
export type WebhookEndpoint = Type.Static<typeof WebhookEndpoint>

export const WebhookEndpointList = pageOfSchema(WebhookEndpoint)

export const CreatedWebhookEndpoint = Type.Object(
  {
    ...reply,
    secret: shownOnce('Signs deliveries.', {
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  },
  { title: 'CreatedWebhookEndpoint', basedOn: WebhookEndpoint },
)
export type CreatedWebhookEndpoint = Type.Static<typeof CreatedWebhookEndpoint>

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(CreatedWebhookEndpoint, endpointFields)

const { url, ...others } = endpointFields

export const WebhookEndpointBody = bodyOf(
  { url, ...Type.Partial(Type.Object(others)).properties },
  { title: 'WebhookEndpointInput', readOnlyFields },
)
export type WebhookEndpointInput = Type.Static<typeof WebhookEndpointBody>

export const WebhookEndpointChanges = changesOf(
  endpointFields,
  readOnlyFields,
  'WebhookEndpointChanges',
)
export type WebhookEndpointChanges = Type.Static<typeof WebhookEndpointChanges>

export const defaultGraceSeconds = 24 * 60 * 60
const maxGraceSeconds = 7 * 24 * 60 * 60

export const SecretRotation = bodyOf(
  {
    grace_period_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxGraceSeconds,
        default: defaultGraceSeconds,
        description:
          'How long the previous secret also signs; 0 ends it and all earlier ones immediately.',
      }),
    ),
  },
  { title: 'SecretRotation' },
)
export type SecretRotation = Type.Static<typeof SecretRotation>
