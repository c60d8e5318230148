import { maximumMajor } from '../../kernel/money.ts'

export type Json = Readonly<Record<string, unknown>>

/** Schemas with a `title`, each written once and referred to from everywhere. */
export type Components = Map<string, Json>

/** Keywords of JSON Schema that our schemas use; every other is for the wire layer alone. */
const standardKeywords = new Set([
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

/** A schema of ours as plain JSON Schema 2020-12; titled parts become components. */
export function publicSchema(schema: unknown, components: Components): Json {
  const source = schema as Json
  const { title } = source
  if (typeof title !== 'string') return plain(source, components)
  if (takesNull(source)) {
    return { anyOf: [publicSchema(withoutNull(source), components), { type: 'null' }] }
  }
  register(title, plain(source, components), components)
  return { $ref: `#/components/schemas/${title}` }
}

const takesNull = ({ type }: Json) => Array.isArray(type) && type.includes('null')

function withoutNull(schema: Json): Json {
  const types = [schema.type].flat().filter((type) => type !== 'null')
  return { ...schema, type: types.length === 1 ? types[0] : types }
}

function register(title: string, schema: Json, components: Components): void {
  const known = components.get(title)
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas have the title ${title}`)
  }
  components.set(title, schema)
}

function plain(source: Json, components: Components): Json {
  const kept = Object.entries(source).filter(([keyword]) => isPublic(keyword, source))
  const schema = Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, publicValue(keyword, value, components)]),
  )
  return { ...schema, ...moneyRules(source), ...withEchoes(source, schema) }
}

const isPublic = (keyword: string, source: Json) =>
  standardKeywords.has(keyword) && !(keyword === 'minProperties' && source[keyword] === 0)

function publicValue(keyword: string, value: unknown, components: Components): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (holdsSchema.has(keyword)) return publicSchema(value, components)
  if (holdsList.has(keyword)) return (value as Json[]).map((part) => publicSchema(part, components))
  if (!holdsNamed.has(keyword)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, publicSchema(part, components)]),
  )
}

/** What `kernel/money.ts` accepts, as far as a schema can say it: the currency decides the rest. */
const moneyRules = ({ money }: Json): Json =>
  money === true
    ? {
        type: ['number', 'string', 'null'],
        exclusiveMinimum: 0,
        maximum: maximumMajor,
        pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
      }
    : {}

/** Fields of the reply that a client may send back as it got them. */
function withEchoes({ echoes }: Json, { properties }: Json): Json {
  if (!Array.isArray(echoes) || echoes.length === 0) return {}
  const echo = { readOnly: true, description: 'Read-only: accepted when unchanged.' }
  const accepted = Object.fromEntries(echoes.map((name) => [name, echo]))
  return { properties: { ...(properties as Json), ...accepted } }
}
