import { type Json, jsonSchema } from '../../schema/json-schema.ts'
import { maxAmountLength, maximumMajor } from '../../values/money.ts'

export type { Json } from '../../schema/json-schema.ts'

/** Schemas with a `title`, each defined once and referenced. */
export type Components = Map<string, Json>

/** An internal schema as plain JSON Schema 2020-12; titled parts become components. */
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
  const schema = jsonSchema(source, (inner) => publicSchema(inner, components))
  return { ...schema, ...moneyRules(source), ...withEchoes(source, schema) }
}

/**
 * The part of the rules of `values/money.ts` that a schema can express; the rest depends on the
 * currency.
 */
const moneyRules = ({ money }: Json): Json =>
  money === true
    ? {
        type: ['number', 'string', 'null'],
        exclusiveMinimum: 0,
        maximum: maximumMajor,
        maxLength: maxAmountLength,
        pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
      }
    : {}

/** Adds the read-only response fields that a client may send back unchanged. */
function withEchoes({ echoes }: Json, { properties }: Json): Json {
  if (!Array.isArray(echoes) || echoes.length === 0) return {}
  const echo = { readOnly: true, description: 'Read-only; accepted if unchanged.' }
  const accepted = Object.fromEntries(echoes.map((name) => [name, echo]))
  return { properties: { ...(properties as Json), ...accepted } }
}
