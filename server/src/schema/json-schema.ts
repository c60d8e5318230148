export type Json = Readonly<Record<string, unknown>>

/** Keywords of JSON Schema that our schemas use; every other is for the wire layer alone. */
const jsonSchemaKeywords = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'properties', 'required'],
  ...['additionalProperties', 'propertyNames', 'patternProperties', 'minProperties'],
  ...['maxProperties', 'anyOf', 'oneOf', 'allOf', 'not'],
])

/** Keywords whose value is a schema, a list of them, or schemas by name. */
const holdsSchema = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])
const holdsList = new Set(['anyOf', 'oneOf', 'allOf'])
const holdsNamed = new Set(['properties', 'patternProperties'])

type Inner = (schema: Json) => Json

/** The standard keywords of a schema, with `inner` done to each schema directly inside it. */
export function jsonSchema(source: Json, inner: Inner): Json {
  const kept = Object.entries(source).filter(([keyword]) => isPublic(keyword, source))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, publicValue(keyword, value, inner)]),
  )
}

/** A schema of ours as plain JSON Schema 2020-12, in one piece. */
export const withoutInternals = (source: object): Json =>
  jsonSchema({ ...source }, withoutInternals)

const isPublic = (keyword: string, source: Json) =>
  jsonSchemaKeywords.has(keyword) && !(keyword === 'minProperties' && source[keyword] === 0)

function publicValue(keyword: string, value: unknown, inner: Inner): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (holdsSchema.has(keyword)) return inner(value as Json)
  if (holdsList.has(keyword)) return (value as Json[]).map(inner)
  if (!holdsNamed.has(keyword)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]))
}
