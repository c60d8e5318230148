import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { type Json, jsonSchema } from '../../schema/json-schema.ts'
import { type Alternative, keywordsOf } from '../../schema/keywords.ts'
import { maxAmountLength, maximumMajor } from '../../values/money.ts'

export type { Json } from '../../schema/json-schema.ts'

/** Schemas with a `title`, each defined once and referenced. */
export type Components = Map<string, Json>

/** An internal schema as plain JSON Schema 2020-12; titled parts become components. */
export function publicSchema(schema: TSchema, components: Components): Json {
  const { title, money, publishedAs, alternatives } = keywordsOf(schema)
  if (publishedAs) return published(`#/components/schemas/${publishedAs}`, schema)
  if (money) return moneyInput(schema, components)
  if (title === undefined) return plain(schema, components)
  if (takesNull(schema)) {
    return { anyOf: [publicSchema(withoutNull(schema), components), { type: 'null' }] }
  }
  if (alternatives)
    return component(title, oneOfSeveral(schema, alternatives, components), components)
  const base = keywordsOf(schema).basedOn
  const shown = base ? onTopOf(base, schema, components) : plain(schema, components)
  return component(title, shown, components)
}

function published($ref: string, schema: TSchema): Json {
  const { description } = keywordsOf(schema)
  return takesNull(schema)
    ? { description, anyOf: [{ $ref }, { type: 'null' }] }
    : { $ref, description }
}

const typesOf = (schema: TSchema) => [keywordsOf(schema).type ?? []].flat()

const takesNull = (schema: TSchema) => typesOf(schema).includes('null')

function withoutNull(schema: TSchema): TSchema {
  const { enum: choices, ...rest } = keywordsOf(schema)
  const types = typesOf(schema).filter((type) => type !== 'null')
  const named = choices ? { enum: choices.filter((each) => each !== null) } : {}
  return { ...rest, ...named, type: types.length === 1 ? types[0] : types }
}

function oneOfSeveral(
  schema: TSchema,
  alternatives: readonly Alternative[],
  components: Components,
): Json {
  const { alternatives: _, description, properties = {}, ...rest } = keywordsOf(schema)
  const forms = alternatives.map(({ without = [], ...about }) => {
    const kept = Object.entries(properties).filter(([name]) => !without.includes(name))
    return publicSchema({ ...rest, ...about, properties: Object.fromEntries(kept) }, components)
  })
  return { ...(description && { description }), anyOf: forms }
}

/** The fields that another schema does not have, or not so. */
function onTopOf(base: TSchema, schema: TSchema, components: Components): Json {
  const { properties: known = {}, required: needed = [] } = keywordsOf(base)
  const { description, properties = {}, required = [] } = keywordsOf(schema)
  const own = Object.entries(properties).filter(
    ([name, field]) => !isDeepStrictEqual(field, known[name]),
  )
  const more = required.filter((name) => !needed.includes(name))
  const added = {
    type: 'object',
    properties: Object.fromEntries(
      own.map(([name, field]) => [name, publicSchema(field, components)]),
    ),
    ...(more.length > 0 && { required: more }),
  }
  return { ...(description && { description }), allOf: [publicSchema(base, components), added] }
}

/** Named by its key: a title in it would say the same. */
export function component(
  name: string,
  { title: _, ...schema }: Json,
  components: Components,
): Json {
  register(name, schema, components)
  return { $ref: `#/components/schemas/${name}` }
}

function register(title: string, schema: Json, components: Components): void {
  const known = components.get(title)
  if (known && !isDeepStrictEqual(known, schema)) {
    throw new Error(`two different schemas have the title ${title}`)
  }
  if (!known) components.set(title, schema)
}

function plain(source: TSchema, components: Components): Json {
  const schema = jsonSchema(source, (inner) => publicSchema(inner, components))
  const { stated, known, names } = keywordsOf(source)
  if (names) return withNames(names, schema)
  if (known) return withKnown(known, { ...schema, ...stated })
  return { ...schema, ...stated, ...withEchoes(source, schema.properties, components) }
}

/** An object that has names, too. */
function withNames(
  names: readonly string[],
  { description, examples, maxLength: _, title: __, ...rules }: Json,
): Json {
  const forms = [
    { type: 'string', enum: names },
    { ...rules, type: 'object' },
  ]
  return { description, ...(examples !== undefined && { examples }), anyOf: forms }
}

/** Texts of which some are known. */
export function withKnown(
  known: readonly string[],
  { description, examples, ...rules }: Json,
): Json {
  const about = {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
  }
  return { ...about, anyOf: [{ type: 'string', enum: known }, rules] }
}

/**
 * The part of the rules of `values/money.ts` that a schema can express; the rest depends on the
 * currency.
 */
const amount: Json = {
  description:
    'Amount in major units: a JSON number, or the same as a decimal string of at most 64 characters. Never rounded.',
  examples: [33.51],
  anyOf: [
    { type: 'number', exclusiveMinimum: 0, maximum: maximumMajor },
    { type: 'string', maxLength: maxAmountLength, pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$' },
  ],
}

const moneyInput = (source: TSchema, components: Components): Json => ({
  description: keywordsOf(source).description,
  anyOf: [component('Amount', amount, components), { type: 'null' }],
})

const unchanged: Json = {
  description: 'Read-only; accepted if unchanged.',
  readOnly: true,
}

/** Adds the read-only response fields that a client may send back unchanged. */
function withEchoes(source: TSchema, properties: unknown, components: Components): Json {
  const { echoes = [] } = keywordsOf(source)
  if (echoes.length === 0 || typeof properties !== 'object') return {}
  const echo = component('Unchanged', unchanged, components)
  const accepted = Object.fromEntries(echoes.map((name) => [name, echo]))
  return { properties: { ...properties, ...accepted } }
}
