/** Generates the SDK's map from event type to object schema. */

import type { EventTypes } from '../../server/src/kernel/event-types.ts'

export function eventObjectsText(eventTypes: readonly EventTypes[]): string {
  const lines = eventTypes.flatMap(({ schema, types }) =>
    Object.keys(types).map((type) => `  '${type}': Schemas['${titleOf(schema)}']\n`),
  )
  return `// Made by "npm run generate" from the types of events.
import type { components } from './openapi.ts'

type Schemas = components['schemas']

/** The type of \`data.object\` in the events of each type. */
export type EventObjects = {
${lines.join('')}}
`
}

export function titleOf(schema: EventTypes['schema']): string {
  if (!('title' in schema)) throw new Error('the schema of an event object has no title')
  return String(schema.title)
}
