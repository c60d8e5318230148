import fc, { type Arbitrary } from 'fast-check'

type Json = Record<string, unknown>

/** Finds what a `$ref` leads to. */
export type Resolve = (ref: string) => Json

const surrogates = { first: 0xd800, count: 0x800 }
const lastCodePoint = 0x10ffff

const characterOf = (index: number) =>
  String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)

function indexOf(character: unknown): number {
  const codePoint = String(character).codePointAt(0) ?? 0
  if (String.fromCodePoint(codePoint) !== character) throw new Error('not one character')
  return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count
}

/** Any character. The library's own unit `binary` takes seconds to make: it maps each of a million. */
export const anyCharacter: Arbitrary<string> = fc
  .nat({ max: lastCodePoint - surrogates.count })
  .map(characterOf, indexOf)

/** Values that a schema of our OpenAPI document accepts, and occasionally one that it refuses. */
export const almost = (schema: Json, resolve: Resolve): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: valuesOf(schema, resolve) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )

function valuesOf(schema: Json, resolve: Resolve): Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return valuesOf(resolve(schema.$ref), resolve)
  if (Array.isArray(schema.allOf)) return objectsOf(combined(schema, resolve), resolve)
  if (schema.properties) return objectsOf(schema, resolve)
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, resolve)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.examples) && typeof schema.type === 'string') {
    return fc.oneof(fc.constantFrom(...schema.examples), ofType(schema.type, schema, resolve))
  }
  const types = [schema.type ?? 'string'].flat().map(String)
  return fc.oneof(...types.map((type) => ofType(type, schema, resolve)))
}

function ofType(type: string, schema: Json, resolve: Resolve): Arbitrary<unknown> {
  const least = Number(schema.minimum ?? 0)
  const most = Number(schema.maximum ?? 100_000)
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: least, max: most })
    case 'number':
      return fc.integer({ min: 100, max: 1_000_000 }).map((cents) => cents / 100)
    case 'array':
      return fc.array(valuesOf((schema.items ?? {}) as Json, resolve), { maxLength: 3 })
    case 'object':
      return objectsOf(schema, resolve)
    default:
      return textsOf(schema)
  }
}

function objectsOf(schema: Json, resolve: Resolve): Arbitrary<unknown> {
  if (!schema.properties) return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string())
  const writable = Object.entries(schema.properties as Record<string, Json>).filter(
    ([, { $ref, ...own }]) => (typeof $ref === 'string' ? resolve($ref) : own).readOnly !== true,
  )
  const fields = writable.map(([name, field]) => [name, almost(field, resolve)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

/** One schema with the fields of all that it combines. */
function combined({ $ref, allOf, ...own }: Json, resolve: Resolve): Json {
  if (typeof $ref === 'string') return combined(resolve($ref), resolve)
  const parts = ((allOf ?? []) as Json[]).map((each) => combined(each, resolve))
  return { properties: Object.assign({}, ...[...parts, own].map(({ properties }) => properties)) }
}

function textsOf({ format, pattern, minLength, maxLength }: Json): Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('2020-01-01'), new Date('2040-01-01')]
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  }
  if (typeof pattern === 'string' && /^\^[a-z]{3}_/.test(pattern)) {
    return fc.stringMatching(new RegExp(pattern))
  }
  const lengths = {
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 20), 20),
  }
  return fc.string({ ...lengths, unit: anyCharacter })
}
