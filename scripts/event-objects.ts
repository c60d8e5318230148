/** What the events of each type are about, as the SDK has it. */

import type { OpenApiDocument } from '../server/src/http/openapi/document.ts'
import { type Components, publicSchema } from '../server/src/http/openapi/schemas.ts'
import type { EventTypes } from '../server/src/kernel/event-types.ts'

/** The document with the objects of events among its schemas: some stand in no reply. */
export function withEventSchemas(
  document: OpenApiDocument,
  told: readonly EventTypes[],
): OpenApiDocument {
  const { schemas, ...others } = document.components
  const components = new Map(Object.entries(schemas ?? {})) as Components
  for (const { schema } of told) publicSchema(schema, components)
  return { ...document, components: { ...others, schemas: Object.fromEntries(components) } }
}

export function eventObjectsText(told: readonly EventTypes[]): string {
  const lines = told.flatMap(({ schema, types }) =>
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

type Told = Pick<EventTypes, 'schema'> & { type: string }

function titleOf({ schema, type }: Told): string {
  const { title } = schema as { title?: string }
  if (title === undefined) throw new Error(`the schema of ${type} has no title`)
  return title
}
