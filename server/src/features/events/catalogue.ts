import type { EventTypes, EventType as Told } from '../../kernel/event-types.ts'
import { withoutInternals } from '../../schema/json-schema.ts'
import { exampleId } from '../../values/ids.ts'
import type { EventType } from './schema.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Every type of event that there is, with the schema and an example of what it brings. */
export const catalogueOf = (told: readonly EventTypes[]): EventType[] => told.flatMap(typesOf)

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

/** As announce() in kernel/ledger.ts makes them; a test stands outside the sequence. */
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
