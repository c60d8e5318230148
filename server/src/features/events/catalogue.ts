import type { EventType as DeclaredType, EventTypes } from '../../kernel/event-types.ts'
import { type Json, withoutInternals } from '../../schema/json-schema.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import { eventIds, organizationIds, requestIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import type { EventType, EventTypeReference } from './schema.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Event types, and the schemas that they refer to. */
export type Catalogue = { data: EventTypeReference[]; $defs: Record<string, Json> }

/** Every event type with an example; types of one resource share a schema. */
export function catalogueOf(eventTypes: readonly EventTypes[]): Catalogue {
  const schemas = eventTypes.map((each) => [nameOf(each), withoutInternals(each.schema)])
  return { data: eventTypes.flatMap(typesOf), $defs: Object.fromEntries(schemas) }
}

/** The part of the catalogue about these types; null for all. */
export function selected(catalogue: Catalogue, types: readonly string[] | null): Catalogue {
  if (types === null) return catalogue
  const data = catalogue.data.filter(({ type }) => types.includes(type))
  const used = new Set(data.map(({ schema }) => schema.$ref))
  const $defs = Object.entries(catalogue.$defs).filter(([name]) => used.has(refTo(name)))
  return { data, $defs: Object.fromEntries($defs) }
}

/** The same types, each with its schema in full. */
export const inFull = ({ data, $defs }: Catalogue): EventType[] => {
  const schemas = new Map(
    Object.entries($defs).map(([name, schema]) => [refTo(name), { $schema: dialect, ...schema }]),
  )
  return data.map((each) => ({ ...each, schema: schemas.get(each.schema.$ref) ?? {} }))
}

const nameOf = ({ schema, resource }: EventTypes): string => keywordsOf(schema).title ?? resource

const refTo = (name: string) => `#/$defs/${name}`

const typesOf = (resourceTypes: EventTypes): EventTypeReference[] =>
  Object.entries(resourceTypes.types).map(([type, each]) => ({
    type,
    description: each.description,
    resource: resourceTypes.resource,
    schema: { $ref: refTo(nameOf(resourceTypes)) },
    example: exampleOf(type, each),
  }))

/** In the form that announce() in kernel/ledger.ts writes; test events have no sequence. */
function exampleOf(type: string, { object, previous }: DeclaredType): EventType['example'] {
  const isTest = type.endsWith('.test')
  return {
    id: exampleId(eventIds),
    type,
    timestamp: '2026-11-21T09:30:00.000Z',
    api_version: 'v1',
    organization_id: exampleId(organizationIds),
    sequence: isTest ? null : 42,
    request_id: exampleId(requestIds),
    actor: { type: 'user', id: exampleId(userIds), name: 'Grace Hopper' },
    test: isTest,
    data: { object: { ...object }, previous: previous && { ...previous } },
  }
}
