import type { EventTypes, EventType as Told } from '../../kernel/event-types.ts'
import { withoutInternals } from '../../schema/json-schema.ts'
import { exampleId } from '../../values/ids.ts'
import type { EventType } from './schema.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Every event type, with its schema and an example. */
export const catalogueOf = (eventTypes: readonly EventTypes[]): EventType[] =>
  eventTypes.flatMap(typesOf)

function typesOf({ resource, schema: source, types }: EventTypes): EventType[] {
  const schema = { $schema: dialect, ...withoutInternals(source) }
  return Object.entries(types).map(([type, each]) => ({
    type,
    description: each.description,
    resource,
    schema,
    example: exampleOf(type, each),
  }))
}

/** In the form that announce() in kernel/ledger.ts writes; test events have no sequence. */
function exampleOf(type: string, { object, previous }: Told): EventType['example'] {
  const isTest = type.endsWith('.test')
  return {
    id: exampleId('event'),
    type,
    timestamp: '2026-11-21T09:30:00.000Z',
    api_version: 'v1',
    organization_id: exampleId('organization'),
    sequence: isTest ? null : 42,
    request_id: exampleId('request'),
    actor: { type: 'user', id: exampleId('user'), name: 'Grace Hopper' },
    test: isTest,
    data: { object: { ...object }, previous: previous && { ...previous } },
  }
}
