import { Type } from 'typebox'
import {
  bodyOf,
  choice,
  idOf,
  Metadata,
  orNull,
  pageOfSchema,
  readOnlyOf,
  stamps,
  Time,
} from '../../schema/fields.ts'

export const endpointStatuses = ['enabled', 'disabled'] as const

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
  description:
    'Where events are sent: https, without user name and password. A fragment is dropped. Loopback, link-local, cloud metadata and, unless the operator opens them, private addresses, the machine’s own, ports below 1024 but 80 and 443 and those of databases are refused.',
  examples: ['https://example.com/hooks/flightdeck'],
})

const Events = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description:
    'Types of events, `campaign.*` for all of a resource, `*` for all there are (the standard).',
  examples: [['campaign.*', 'profile.updated']],
})

/** What a client may write. */
const endpointFields = {
  url: Url,
  events: orNull(Events),
  description: orNull(Type.String({ maxLength: 500, description: 'Free text.' })),
  metadata: orNull(Metadata),
}

const reply = {
  id: idOf('webhook_endpoint', 'Webhook endpoint identifier.'),
  url: Type.String({ description: 'In events and audit records its origin alone.' }),
  events: Type.Array(Type.String()),
  description: orNull(Type.String()),
  metadata: Metadata,
  status: choice(endpointStatuses),
  disabled_reason: orNull(Type.String({ description: '`manual`, `failing` or `gone`.' })),
  last_success_at: orNull(Time),
  last_failure_at: orNull(Time),
  consecutive_failures: Type.Integer({ minimum: 0 }),
  secret_hint: Type.String({ description: 'The last four characters of the signing secret.' }),
  previous_secret_expires_at: orNull(
    Type.String({
      format: 'date-time',
      description:
        'Until then secrets from before a rotation sign too, each for the grace that it was given; after it the newest alone. Null when no rotation has left one.',
    }),
  ),
  ...stamps,
}

export const WebhookEndpoint = Type.Object(reply, { title: 'WebhookEndpoint' })
export type WebhookEndpoint = Type.Static<typeof WebhookEndpoint>

export const WebhookEndpointList = pageOfSchema(WebhookEndpoint)

export const CreatedWebhookEndpoint = Type.Object(
  {
    ...reply,
    secret: orNull(
      Type.String({
        description: 'Signs deliveries. Shown this once: null when the request is repeated.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
      }),
    ),
  },
  { title: 'CreatedWebhookEndpoint' },
)
export type CreatedWebhookEndpoint = Type.Static<typeof CreatedWebhookEndpoint>

/** Fields of the reply that only the service writes. */
export const readOnlyFields = readOnlyOf(CreatedWebhookEndpoint, endpointFields)

const { url, ...others } = endpointFields

export const WebhookEndpointBody = bodyOf(
  { url, ...Type.Partial(Type.Object(others)).properties },
  { title: 'WebhookEndpointInput', readOnlyFields },
)
export type WebhookEndpointInput = Type.Static<typeof WebhookEndpointBody>

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
          'How long the secret before signs too; 0 ends it, and all that were before it, at once.',
      }),
    ),
  },
  { title: 'SecretRotation' },
)
export type SecretRotation = Type.Static<typeof SecretRotation>
