/** Generates the SDK's map from event type to object schema. */

import type { OpenApiDocument } from '../server/src/http/openapi/document.ts'
import { type Components, publicSchema } from '../server/src/http/openapi/schemas.ts'
import type { EventTypes } from '../server/src/kernel/event-types.ts'

/** Adds the schemas of event objects to the document: some appear in no response. */
export function withEventSchemas(
  document: OpenApiDocument,
  eventTypes: readonly EventTypes[],
): OpenApiDocument {
  const { schemas, ...others } = document.components
  const components = new Map(Object.entries(schemas ?? {})) as Components
  for (const { schema } of eventTypes) publicSchema(schema, components)
  return { ...document, components: { ...others, schemas: Object.fromEntries(components) } }
}

export function eventObjectsText(eventTypes: readonly EventTypes[]): string {
  const lines = eventTypes.flatMap(({ schema, types }) =>
    Object.keys(types).map((type) => `  '${type}': Schemas['${titleOf({ schema, type })}']\n`),
  )
  return `// Made by "npm run generate" from the types of events.
import type { components } from './openapi.ts'

type Schemas = components['schemas']

/** What \`data.object\` is in the events of each type. */
export type EventObjects = {
${lines.join('')}}
`
}

type TypeSchema = Pick<EventTypes, 'schema'> & { type: string }

function titleOf({ schema, type }: TypeSchema): string {
  const { title } = schema as { title?: string }
  if (title === undefined) throw new Error(`the schema of ${type} has no title`)
  return title
}
