import type { EventTypes } from '../../kernel/event-types.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import type { Feature } from '../feature.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'

/**
 * The requests that endpoints receive: the events of each resource, with its own shape in
 * `data.object`.
 */
export const webhooksOf = (features: readonly Feature[], components: Components) =>
  Object.fromEntries(
    features
      .flatMap(({ events = [] }) => events)
      .map((events) => [nameOf(events), { post: webhookOf(events, components) }]),
  )

/** `CampaignEvent`, after the shape; a resource can have several. */
function nameOf({ schema, resource }: EventTypes): string {
  const { title } = keywordsOf(schema)
  if (!title) throw new Error(`the object of the events of ${resource} has no title`)
  return `${title.replace(/EventObject$/, '')}Event`
}

function webhookOf(events: EventTypes, components: Components): Json {
  const name = nameOf(events)
  components.set(name, eventSchema(events, components))
  return {
    operationId: `on${name}`,
    summary: `Events of the resource ${events.resource.replaceAll('_', ' ')}`,
    security: [],
    parameters: Object.keys(headers).map((each) => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
    responses: { '2XX': { $ref: '#/components/responses/Received' } },
  }
}

/** The envelope of all events, with the types and the object of these. */
function eventSchema({ schema, types }: EventTypes, components: Components): Json {
  const object = { ...publicSchema(schema, components), description: 'As the API shows it.' }
  const own = {
    type: 'object',
    properties: {
      type: { type: 'string', enum: Object.keys(types) },
      data: { type: 'object', properties: { object } },
    },
  }
  return { allOf: [{ $ref: '#/components/schemas/WebhookEvent' }, own] }
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const headers = {
  WebhookId: header('webhook-id', 'Id of the event; the same in every attempt.'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was signed, in Unix seconds.'),
  WebhookSignature: header(
    'webhook-signature',
    'By https://www.standardwebhooks.com: `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`, one for each secret, separated by spaces.',
  ),
}

export const webhookResponses: Json = {
  Received: { description: 'Received. Anything but this and 410 is sent again.' },
}

/** The headers by which a receiver verifies the sender. */
export const webhookParameters: Json = headers
