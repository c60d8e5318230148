export type Json = Readonly<Record<string, unknown>>

/** The JSON Schema keywords in use; all others are internal. */
const jsonSchemaKeywords = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'properties', 'required'],
  ...['additionalProperties', 'propertyNames', 'patternProperties', 'minProperties'],
  ...['maxProperties', 'anyOf', 'oneOf', 'allOf', 'not'],
])

/** Keywords whose value is a schema, a list of schemas or schemas by name. */
const holdsSchema = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])
const holdsList = new Set(['anyOf', 'oneOf', 'allOf'])
const holdsNamed = new Set(['properties', 'patternProperties'])

type Inner = (schema: object) => Json

/** Keeps the standard keywords of a schema, applying `inner` to its direct subschemas. */
export function jsonSchema(source: object, inner: Inner): Json {
  const kept = Object.entries(source).filter(([keyword, value]) => isPublic(keyword, value))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, publicValue(keyword, value, inner)]),
  )
}

/** An internal schema as self-contained JSON Schema 2020-12. */
export const withoutInternals = (source: object): Json => jsonSchema(source, withoutInternals)

const isPublic = (keyword: string, value: unknown) =>
  jsonSchemaKeywords.has(keyword) && !(keyword === 'minProperties' && value === 0)

function publicValue(keyword: string, value: unknown, inner: Inner): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (holdsSchema.has(keyword)) return inner(value)
  if (Array.isArray(value) && holdsList.has(keyword)) return value.map((each) => inner(each))
  if (!holdsNamed.has(keyword)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]))
}
