type Json = Record<string, unknown>

/** Changes of an OpenAPI document that break existing clients, one line each. */
export function breakingChanges(before: Json, after: Json): string[] {
  const [old, now] = [operationsOf(before), operationsOf(after)]
  return [...old].flatMap(([name, operation]) => {
    const present = now.get(name)
    if (!present) return [`${name} is gone`]
    const sides = { before: operation, after: present }
    const found = [...lostSecurity(sides), ...parameterChanges(sides), ...bodyChanges(sides)]
    return [...found, ...replyChanges(sides)].map((change) => `${name}: ${change}`)
  })
}

type Sides<Part> = { before: Part; after: Part }

function operationsOf(document: Json): Map<string, Json> {
  const resolved = (part: unknown) => inlined(part, document) as Json
  return new Map(
    Object.entries((document.paths ?? {}) as Json).flatMap(([path, item]) =>
      Object.entries(item as Json).map(([method, operation]) => {
        return [`${method.toUpperCase()} ${path}`, resolved(operation)] as const
      }),
    ),
  )
}

/** Replaces each `$ref` by its target, and combinations by one schema; ours have no cycles. */
function inlined(part: unknown, document: Json): unknown {
  if (Array.isArray(part)) return part.map((each) => inlined(each, document))
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part as Json
  if (typeof $ref === 'string') return inlined(targetOf($ref, document), document)
  const { allOf, ...rest } = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, inlined(value, document)]),
  )
  return withNull([...((allOf ?? []) as Json[]), rest].reduce(both))
}

/** The schema of values that match both. */
const both = (one: Json, other: Json): Json => ({
  ...one,
  ...other,
  ...(one.properties !== undefined && {
    properties: { ...propertiesOf(one), ...propertiesOf(other) },
  }),
  ...(one.required !== undefined && {
    required: [...listOf(one.required), ...listOf(other.required)],
  }),
})

/** `anyOf` of a schema and null as that schema with another type. */
function withNull(schema: Json): Json {
  const [one, other, ...more] = (schema.anyOf ?? []) as Json[]
  if (!one || other?.type !== 'null' || more.length > 0) return schema
  const { anyOf: _, ...rest } = schema
  const choices = one.enum === undefined ? {} : { enum: [...listOf(one.enum), null] }
  return { ...one, ...choices, ...rest, type: [...listOf(one.type), 'null'] }
}

const targetOf = (ref: string, document: Json): unknown =>
  ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((part, key) => (part as Json)[key], document)

const isPublic = ({ security }: Json) => Array.isArray(security) && security.length === 0

const lostSecurity = ({ before, after }: Sides<Json>): string[] =>
  isPublic(before) && !isPublic(after) ? ['now needs a token'] : []

type Parameter = { name: string; in: string; required?: boolean; schema?: Json }

function parameterChanges({ before, after }: Sides<Json>): string[] {
  const [old, now] = [parametersOf(before), parametersOf(after)]
  const lost = [...old].flatMap(([name, parameter]) => {
    const present = now.get(name)
    if (!present) return [`${name} is gone`]
    return narrowed({ before: parameter.schema ?? {}, after: present.schema ?? {} }, name)
  })
  const demanded = [...now].filter(([name, { required }]) => required && !old.get(name)?.required)
  return [...lost, ...demanded.map(([name]) => `${name} is now required`)]
}

const parametersOf = ({ parameters = [] }: Json) =>
  new Map((parameters as Parameter[]).map((each) => [`${each.in} parameter ${each.name}`, each]))

function bodyChanges({ before, after }: Sides<Json>): string[] {
  const [old, now] = [before.requestBody, after.requestBody] as (Json | undefined)[]
  const demanded = now?.required === true && old?.required !== true ? ['now needs a body'] : []
  const sides = { before: schemaIn(old), after: schemaIn(now) }
  return [...demanded, ...(old ? narrowed(sides, 'body') : [])]
}

function replyChanges({ before, after }: Sides<Json>): string[] {
  const [old, now] = [before.responses, after.responses] as [Json, Json]
  return Object.keys(old)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      if (!now[status]) return [`no longer answers ${status}`]
      const sides = { before: schemaIn(old[status]), after: schemaIn(now[status]) }
      return widened(sides, `${status} reply`)
    })
}

function schemaIn(part: unknown): Json {
  const { content = {} } = (part ?? {}) as { content?: Json }
  return ((content['application/json'] as Json | undefined)?.schema ?? {}) as Json
}

const propertiesOf = ({ properties = {} }: Json) => properties as Record<string, Json>
const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())
const missing = (from: unknown, inside: unknown) =>
  listOf(from).filter((each) => !listOf(inside).includes(each))

/** A schema that accepts numbers accepts integers. */
const takenBy = ({ type }: Json): unknown[] =>
  listOf(type).includes('number') ? [...listOf(type), 'integer'] : listOf(type)

/** The forms that a value may have: those of a union, each with what stands beside the union. */
function formsOf(schema: Json): Json[] {
  const { anyOf, oneOf, ...rest } = schema
  const forms = (anyOf ?? oneOf ?? []) as Json[]
  if (forms.length === 0) return [schema]
  return forms.flatMap((form) => {
    const others = oneOf ? forms.filter((each) => each !== form) : []
    return formsOf(without(fieldsThatMark(others), both(rest, form)))
  })
}

/** A value of exactly one form lacks what the others require. */
const fieldsThatMark = (forms: readonly Json[]) =>
  forms
    .filter(({ properties }) => properties === undefined)
    .flatMap((form) => listOf(form.required))

const without = (names: readonly unknown[], schema: Json): Json =>
  names.length === 0
    ? schema
    : {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name)),
        ),
      }

/** Finds requests that are no longer accepted: each form of before must be taken by one of now. */
function narrowed({ before, after }: Sides<Json>, at: string): string[] {
  const now = formsOf(after)
  return formsOf(before).flatMap((form) => {
    const found = now.map((each) => narrowedForm({ before: form, after: each }, at))
    return found.reduce((least, each) => (each.length < least.length ? each : least))
  })
}

function narrowedForm({ before, after }: Sides<Json>, at: string): string[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)]
  const types = after.type === undefined ? [] : missing(before.type, takenBy(after))
  const values = after.enum === undefined ? [] : missing(before.enum, after.enum)
  const isNewEnum = after.enum !== undefined && before.enum === undefined
  return [
    ...types.map((type) => `${at} no longer takes type ${type}`),
    ...values.map((value) => `${at} no longer takes ${value}`),
    ...(isNewEnum ? [`${at} now takes fixed values only`] : []),
    ...missing(after.required, before.required).map((field) => `${at}/${field} is now required`),
    ...withinBoth({ before: old, after: now }, { at, compare: narrowed }),
    ...itemsOf({ before, after }, { at, compare: narrowed }),
  ]
}

/**
 * Finds promises that the schema of a response no longer keeps. New values of an enum are
 * additions.
 */
function widened({ before, after }: Sides<Json>, at: string): string[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)]
  const promised = missing(before.required, after.required).filter((field) => String(field) in now)
  return [
    ...missing(after.type, before.type).map((type) => `${at} may now be of type ${type}`),
    ...promised.map((field) => `${at}/${field} may now be missing`),
    ...withinBoth({ before: old, after: now }, { at, compare: widened }),
    ...itemsOf({ before, after }, { at, compare: widened }),
  ]
}

type Inside = { at: string; compare: (sides: Sides<Json>, at: string) => string[] }

const withinBoth = ({ before, after }: Sides<Record<string, Json>>, { at, compare }: Inside) =>
  Object.entries(before).flatMap(([name, schema]) => {
    const present = after[name]
    return present
      ? compare({ before: schema, after: present }, `${at}/${name}`)
      : [`${at}/${name} is gone`]
  })

const itemsOf = ({ before, after }: Sides<Json>, { at, compare }: Inside) =>
  before.items && after.items
    ? compare({ before: before.items as Json, after: after.items as Json }, `${at}/*`)
    : []
