import { nearest } from '../../nearest.ts'
import type { Schema } from '../../schema.ts'
import { type Fault, type Placed, plain } from './placed.ts'

/** Holds values against a schema: every fault, at its place. */
export function checker(root: Schema): (value: Placed) => Fault[] {
  const resolved = ({ $ref, ...others }: Schema): Schema => {
    const named = root.definitions?.[($ref ?? '').replace('#/definitions/', '')]
    return $ref === undefined || !named ? others : { ...resolved(named), ...others }
  }
  const check: Check = (value, given, name) => {
    const schema = resolved(given)
    if (schema.anyOf)
      return ofForms(value, schema.anyOf.map(resolved), (form) => check(value, form, name))
    const wrongType = typeFault(value, schema)
    const own = wrongType === undefined ? [...ownFaults(value, schema)] : [wrongType]
    const faults = own.map((message) => ({ place: value.place, message: said(name, message) }))
    return wrongType === undefined ? [...faults, ...below(value, schema, { check, name })] : faults
  }
  return (value) => check(value, root, '')
}

/** `name` is that of the field that the value is of, or is in. */
type Check = (value: Placed, schema: Schema, name: string) => Fault[]

const said = (name: string, message: string) => (name === '' ? message : `${name}: ${message}`)

/** Of several forms the faults of the one that is of the value's type, else what all of them are. */
function ofForms(
  value: Placed,
  forms: readonly Schema[],
  faultsBy: (form: Schema) => Fault[],
): Fault[] {
  const found = forms.map((form) => ({ form, faults: faultsBy(form) }))
  if (found.some(({ faults }) => faults.length === 0)) return []
  const [first] = found.filter(({ form }) => form.anyOf || typeFault(value, form) === undefined)
  if (first) return first.faults
  // All of them say the same of its type, each with its own.
  const [{ message = '' } = {}] = found[0]?.faults ?? []
  const name = /^(.*): must be /.exec(message)?.[1] ?? ''
  return [{ place: value.place, message: said(name, `must be ${typesOf(forms)}`) }]
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'a map of names and values',
}

const namesOf = ({ type = [] }: Schema): string[] => [type].flat()

const typesOf = (forms: readonly Schema[]) =>
  [...new Set(forms.flatMap(namesOf))].map((name) => words[name] ?? name).join(' or ')

function typeOf(value: Placed): string {
  if (value.kind === 'map') return 'object'
  if (value.kind === 'list') return 'array'
  return value.value === null ? 'null' : typeof value.value
}

function typeFault(value: Placed, schema: Schema): string | undefined {
  const names = namesOf(schema)
  const found = typeOf(value)
  const isWhole = value.kind === 'scalar' && Number.isInteger(value.value)
  if (names.length === 0 || names.includes(found)) return undefined
  if (names.includes('integer') && isWhole) return undefined
  const hint = names.includes('string') && /number|boolean/.test(found) ? ': put it in quotes' : ''
  return `must be ${typesOf([schema])}${hint}`
}

function* ownFaults(placed: Placed, schema: Schema): Generator<string> {
  const value = plain(placed)
  if (schema.enum && !schema.enum.includes(value)) {
    const known = schema.enum.map(String)
    yield `${shown(value)} is not one of ${listed(known)}${meant(String(value), known)}`
  } else if (typeof value === 'string') yield* textFaults(value, schema)
  else if (typeof value === 'number') yield* numberFaults(value, schema)
  else if (Array.isArray(value)) yield* listFaults(value, schema)
  const { maxProperties = Number.POSITIVE_INFINITY } = schema
  if (placed.kind === 'map' && placed.members.size > maxProperties) {
    yield `has ${placed.members.size} members, at most ${maxProperties}`
  }
}

function* textFaults(value: string, schema: Schema): Generator<string> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema
  const length = [...value].length
  if (length < minLength)
    yield minLength === 1 ? 'is empty' : `has at least ${minLength} characters`
  if (length > maxLength) yield `has ${length} characters, at most ${maxLength}`
  else if (pattern && !new RegExp(pattern, 'u').test(value)) {
    yield `${shown(value)} does not have the form of it${exampleOf(schema)}`
  }
  if (format === 'date-time' && !isTime(value)) {
    yield `${shown(value)} is no time such as 2026-12-24T18:00:00Z`
  }
}

const exampleOf = ({ examples: [example] = [], description, pattern }: Schema): string =>
  typeof example === 'string' ? `, such as ${example}` : `: ${description ?? pattern}`

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text))

function* numberFaults(value: number, schema: Schema): Generator<string> {
  const { minimum, exclusiveMinimum, maximum, type } = schema
  if (type === 'integer' && !Number.isInteger(value)) yield 'must be a whole number'
  if (minimum !== undefined && value < minimum) yield `must be ${minimum} or more`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    yield `must be more than ${exclusiveMinimum}`
  }
  if (maximum !== undefined && value > maximum) yield `must be ${maximum} or less`
}

function* listFaults(value: readonly unknown[], schema: Schema): Generator<string> {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = schema
  if (value.length < minItems) yield `needs ${minItems} or more`
  if (value.length > maxItems) yield `has ${value.length} items, at most ${maxItems}`
  if (!uniqueItems || value.length > maxItems) return
  const texts = value.map((each) => JSON.stringify(each))
  const twice = texts.find((text, at) => texts.indexOf(text) < at)
  if (twice) yield `has ${twice} twice`
}

type Checking = { check: Check; name: string }

/** Faults of what a list or a map contains. */
function below(value: Placed, schema: Schema, { check, name: of }: Checking): Fault[] {
  if (value.kind === 'list') {
    const { items } = schema
    return items ? value.items.flatMap((each) => check(each, items, of)) : []
  }
  if (value.kind === 'scalar') return []
  const { properties = {}, additionalProperties = true, propertyNames, required = [] } = schema
  const missing = required
    .filter((name) => !value.members.has(name))
    .map((name) => ({ place: value.place, message: said(of, `${name} is missing`) }))
  const found = [...value.members].flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) return check(member.value, known, name)
    if (additionalProperties === false) {
      const names = Object.keys(properties).filter((each) => each !== '$schema')
      const message = `${shown(name)} is no field here${meant(name, names)}`
      return [{ place: member.place, message }]
    }
    const asText: Placed = { kind: 'scalar', place: member.place, value: name }
    const ofName = propertyNames ? check(asText, { type: 'string', ...propertyNames }, of) : []
    const rest = typeof additionalProperties === 'object' ? additionalProperties : {}
    return [...ofName, ...check(member.value, rest, name)]
  })
  return [...missing, ...found]
}

/** The name that is meant, where one is near. */
function meant(name: string, known: readonly string[]): string {
  const found = nearest(name, known)
  return found === undefined ? '' : `; do you mean ${found}?`
}

const listed = (known: readonly string[]) =>
  known.length > 12 ? `${known.slice(0, 12).join(', ')}, …` : known.join(', ')

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return `"${text.length > 64 ? `${text.slice(0, 63)}…` : text}"`
}
