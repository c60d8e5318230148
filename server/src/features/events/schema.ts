import { Type } from 'typebox'
import { ActorOrNull } from '../../schema/actor.ts'
import { choice, idOf, orNull, pageOfSchema, rows, text, time } from '../../schema/fields.ts'
import { eventIds, organizationIds } from '../../values/core-ids.ts'

const sequence = Type.Integer({
  minimum: 1,
  description: 'Per organization; increases by one, without gaps.',
})

const open = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  })

const event = {
  id: idOf(eventIds, 'Event identifier; the same on every channel.'),
  type: text('One of GET /reference/events.'),
  timestamp: time('When it happened.'),
  api_version: choice(['v1'], { description: 'Version of the API whose shapes it has.' }),
  organization_id: idOf(organizationIds, 'The organization it happened in.'),
  sequence,
  request_id: orNull(Type.String({ description: 'The request that caused it, if any.' })),
  change_set_id: Type.Optional(text('The change set that caused it; absent from other events.')),
  actor: ActorOrNull,
  test: Type.Boolean({
    description: 'True only for events sent by POST /webhook_endpoints/{id}/test.',
  }),
  data: Type.Object(
    {
      object: open('The object after the change; for a deletion, before it. By type: `webhooks`.'),
      previous: orNull(
        open('Previous values of the changed fields; null for a creation or deletion.'),
      ),
    },
    { description: 'What changed.' },
  ),
}

const WebhookEvent = Type.Object(
  { ...event, sequence: orNull(sequence) },
  { title: 'WebhookEvent', description: 'An event as it is delivered; tests have no sequence.' },
)

export const Event = Type.Object(event, { title: 'Event', basedOn: WebhookEvent })
export type Event = Type.Static<typeof Event>

export const EventList = pageOfSchema(Event)

const eventType = {
  type: text('Name of the event type.'),
  description: text('What happened.'),
  resource: text('The affected resource.'),
  example: WebhookEvent,
}

const EventType = Type.Object(
  { ...eventType, schema: open('JSON Schema (2020-12) of the event’s `data.object`.') },
  { title: 'EventType' },
)
export type EventType = Type.Static<typeof EventType>

export const EventTypeList = Type.Object(
  { data: rows(EventType, 'Every event type.') },
  { title: 'EventTypeCatalogue' },
)

const EventTypeReference = Type.Object(
  {
    ...eventType,
    schema: Type.Object(
      { $ref: text('Where in this response.') },
      { description: 'The schema of the event’s `data.object`, in `$defs`.' },
    ),
  },
  { title: 'EventTypeReference' },
)
export type EventTypeReference = Type.Static<typeof EventTypeReference>

export const EventCatalogue = Type.Object(
  {
    data: rows(EventTypeReference, 'The event types, all of them or those of `type`.'),
    $defs: open('The schemas that `schema.$ref` points to, by name: JSON Schema (2020-12).'),
  },
  { title: 'EventCatalogue' },
)
