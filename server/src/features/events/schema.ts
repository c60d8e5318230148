import { Type } from 'typebox'
import { choice, idOf, orNull, pageOfSchema, Time } from '../../schema/fields.ts'

const NullableText = orNull(Type.String())

const sequence = Type.Integer({
  minimum: 1,
  description: 'Counts the organization’s events up by one; without gaps.',
})

const open = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  })

const event = {
  id: idOf('event', 'Event identifier; the same wherever the event is seen.'),
  type: Type.String({ description: 'One of GET /event_types.', examples: ['campaign.paused'] }),
  timestamp: Time,
  api_version: choice(['v1']),
  organization_id: idOf('organization'),
  sequence,
  request_id: orNull(Type.String({ description: 'The request that made it happen, if one did.' })),
  actor: Type.Object({
    type: choice(['user', 'api_key', 'system', 'cli', 'anonymous']),
    id: NullableText,
    name: NullableText,
  }),
  test: Type.Boolean({
    description: 'True only for what POST /webhook_endpoints/{id}/test sends.',
  }),
  data: Type.Object({
    object: open(
      'The object as it was after the change; of something deleted, before. GET /event_types has the schema for each type.',
    ),
    previous: orNull(
      open('Former values of the fields that changed; null for what was created or deleted.'),
    ),
  }),
}

export const Event = Type.Object(event, { title: 'Event' })
export type Event = Type.Static<typeof Event>

export const EventList = pageOfSchema(Event)

const ExampleEvent = Type.Object(
  { ...event, sequence: orNull(sequence) },
  { title: 'ExampleEvent', description: 'An event; a test has no sequence.' },
)

const EventType = Type.Object(
  {
    type: Type.String({ examples: ['campaign.paused'] }),
    description: Type.String({ description: 'What has happened.' }),
    resource: Type.String({ description: 'What it happened to.', examples: ['campaign'] }),
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
