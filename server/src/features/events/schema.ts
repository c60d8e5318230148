import { Type } from 'typebox'
import { choice, idOf, orNull, pageOfSchema, Time } from '../../schema/fields.ts'

const NullableText = orNull(Type.String())

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
  id: idOf('event', 'Event identifier; the same on every channel.'),
  type: Type.String({ description: 'One of GET /event_types.', examples: ['campaign.paused'] }),
  timestamp: Time,
  api_version: choice(['v1']),
  organization_id: idOf('organization'),
  sequence,
  request_id: orNull(Type.String({ description: 'The request that caused it, if any.' })),
  actor: Type.Object({
    type: choice(['user', 'api_key', 'system', 'cli', 'anonymous']),
    id: NullableText,
    name: NullableText,
  }),
  test: Type.Boolean({
    description: 'True only for events sent by POST /webhook_endpoints/{id}/test.',
  }),
  data: Type.Object({
    object: open(
      'The object after the change; for a deletion, before it. GET /event_types has the schema for each type.',
    ),
    previous: orNull(
      open('Previous values of the changed fields; null for a creation or deletion.'),
    ),
  }),
}

export const Event = Type.Object(event, { title: 'Event' })
export type Event = Type.Static<typeof Event>

export const EventList = pageOfSchema(Event)

const ExampleEvent = Type.Object(
  { ...event, sequence: orNull(sequence) },
  { title: 'ExampleEvent', description: 'An event; test events have no sequence.' },
)

const EventType = Type.Object(
  {
    type: Type.String({ examples: ['campaign.paused'] }),
    description: Type.String({ description: 'What happened.' }),
    resource: Type.String({ description: 'The affected resource.', examples: ['campaign'] }),
    schema: open('JSON Schema (2020-12) of the event’s `data.object`.'),
    example: ExampleEvent,
  },
  { title: 'EventType' },
)
export type EventType = Type.Static<typeof EventType>

export const EventTypeList = Type.Object(
  { data: Type.Array(EventType) },
  { title: 'EventTypeCatalogue' },
)
