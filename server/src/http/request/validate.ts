import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { lazy } from '../../concurrency/lazy.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import type { FaultCode } from '../../problems/fault-codes.ts'
import { maxFaults } from '../../problems/problem.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import { ExactNumber } from '../../values/exact-number.ts'
import { nearestName } from '../../values/nearest-name.ts'
import { passwordFaults } from '../../values/password-rules.ts'
import { pointerToken, shortPointer } from './pointers.ts'
import { textFaults } from './text-faults.ts'

/** An invalid key yields two Ajv errors but one fault. */
const maxErrors = 2 * maxFaults

/** `allErrors` has no limit in Ajv: this stops at the bound. */
class BoundedAjv extends Ajv {
  bounded(errors: ErrorObject[]): ErrorObject[] {
    if (errors.length >= maxErrors) throw new Enough(errors)
    return errors
  }
}

class Enough extends Error {
  readonly errors: ErrorObject[]

  constructor(errors: ErrorObject[]) {
    super('the value has more errors than are reported')
    this.errors = errors
  }
}

const ajv = new BoundedAjv({
  allErrors: true,
  strict: false,
  verbose: true,
  discriminator: false,
  code: { process: (code) => code.replaceAll('vErrors.push(', 'self.bounded(vErrors).push(') },
})
addFormats.default(ajv, ['date', 'date-time', 'email'])

ajv.addKeyword({
  keyword: 'trim',
  type: 'string',
  schemaType: 'boolean',
  modifying: true,
  before: 'maxLength',
  errors: false,
  compile: () => (text: string, at) => {
    if (at) at.parentData[at.parentDataProperty] = text.trim()
    return true
  },
})

ajv.addKeyword({
  keyword: 'money',
  schemaType: 'boolean',
  errors: false,
  validate: (_: boolean, value: unknown) =>
    value === null ||
    typeof value === 'number' ||
    typeof value === 'string' ||
    value instanceof ExactNumber,
})

ajv.addKeyword({
  keyword: 'newPassword',
  type: 'string',
  schemaType: 'boolean',
  errors: false,
  validate: (_: boolean, text: string) => passwordFaults(text, '').length === 0,
})

ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'object',
  schemaType: 'number',
  errors: false,
  validate: (most: number, texts: Record<string, unknown>) => bytesOf(texts) <= most,
})

/** The total size of keys and values in bytes. */
const bytesOf = (texts: Record<string, unknown>): number =>
  Object.entries(texts)
    .flat()
    .reduce<number>(
      (sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0),
      0,
    )

/** Returns all faults of a value, at most fifty; may trim strings in place. */
export type Validator = (value: unknown) => Fault[]

export function validatorOf(schema: TSchema): Validator {
  // Compiled on first use: most processes never use every endpoint.
  const apart = fieldsApart(schema)
  const compiled = lazy(() => ajv.compile(withoutItems(withEchoes(schema), apart)))
  return (value) => {
    const validate = compiled()
    const texts = textFaults(value).filter((fault) => !apart.some((name) => isIn(name, fault)))
    const found = faultsOf(errorsOf(validate, value))
    if (found.length >= maxFaults) return found
    const others = found.filter((fault) => !texts.some((text) => isSame(text, fault)))
    return [...texts, ...others].slice(0, maxFaults)
  }
}

/** Allows read-only fields that a client sends back unchanged. */
function withEchoes(schema: TSchema): TSchema {
  const { echoes = [], properties } = keywordsOf(schema)
  if (echoes.length === 0) return schema
  const accepted = Object.fromEntries(echoes.map((name) => [name, {}]))
  return { ...schema, properties: { ...accepted, ...properties } }
}

/** Lists whose items are validated separately, each as its own body (`checkedApart`). */
function fieldsApart(schema: TSchema): string[] {
  const fields = Object.entries(keywordsOf(schema).properties ?? {})
  return fields.filter(([, field]) => keywordsOf(field).checkedApart).map(([name]) => name)
}

function withoutItems(schema: TSchema, names: string[]): object {
  if (names.length === 0) return { ...schema }
  const properties = { ...keywordsOf(schema).properties }
  for (const name of names) properties[name] = { ...properties[name], items: {} }
  return { ...schema, properties }
}

const isIn = (field: string, { pointer = '' }: Fault) => pointer.startsWith(`/${field}/`)

/** A forbidden character also fails the pattern: report one fault. */
const isSame = (one: Fault, other: Fault) =>
  one.pointer === other.pointer && one.code === other.code

type Translate = (error: ErrorObject) => Fault[]

const limited =
  (code: FaultCode, wording: (limit: unknown) => string): Translate =>
  (error) => [
    fault(error.instancePath, code, wording(error.params.limit), { limit: error.params.limit }),
  ]

const translations: Record<string, Translate> = {
  required: ({ instancePath, params }) => [
    fault(`${instancePath}/${pointerToken(params.missingProperty)}`, 'required', 'is required'),
  ],
  additionalProperties: (error) => [unknownField(error)],
  type: ({ instancePath, params, data }) => [
    fault(
      instancePath,
      'invalid_type',
      `must be ${[params.type].flat().join(' or ')}`,
      given(data),
    ),
  ],
  money: ({ instancePath, data }) => [
    fault(instancePath, 'invalid_type', 'must be a number or a decimal string', given(data)),
  ],
  newPassword: ({ instancePath, data }) => passwordFaults(String(data), instancePath),
  enum: ({ instancePath, params, data }) => [
    fault(instancePath, 'invalid_enum_value', 'is not one of the allowed values', {
      allowed: params.allowedValues.filter((value: unknown) => value !== null),
      ...given(data),
    }),
  ],
  minLength: limited('too_short', (limit) => `must have at least ${limit} characters`),
  maxLength: limited('too_long', (limit) => `must have at most ${limit} characters`),
  minItems: limited('too_short', (limit) => `must have at least ${limit} items`),
  maxItems: limited('too_many_items', (limit) => `must have at most ${limit} items`),
  maxProperties: limited('too_many_items', (limit) => `must have at most ${limit} keys`),
  maxBytes: ({ instancePath, schema: limit }) => [
    fault(instancePath, 'too_long', `must have at most ${limit} bytes in total`, { limit }),
  ],
  minimum: limited('out_of_range', (limit) => `must be at least ${limit}`),
  exclusiveMinimum: limited('out_of_range', (limit) => `must be greater than ${limit}`),
  maximum: limited('out_of_range', (limit) => `must be at most ${limit}`),
  uniqueItems: ({ instancePath, params, data }) => {
    const second = Math.max(params.i, params.j)
    const more = given(Array.isArray(data) ? data[second] : undefined)
    return [
      fault(`${instancePath}/${second}`, 'duplicate_item', 'is in the list more than once', more),
    ]
  },
  pattern: ({ instancePath, data, propertyName }) => [
    propertyName === undefined
      ? fault(instancePath, 'invalid_format', 'does not have the expected format', given(data))
      : fault(
          `${instancePath}/${pointerToken(propertyName)}`,
          'invalid_format',
          'is not an accepted key',
        ),
  ],
  format: ({ instancePath, params, data }) => [
    fault(instancePath, 'invalid_format', `is not a valid ${params.format}`, given(data)),
  ],
  // The keyword inside reports the fault.
  propertyNames: () => [],
}

function errorsOf(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  try {
    return validate(value) ? [] : (validate.errors ?? [])
  } catch (enough) {
    if (enough instanceof Enough) return enough.errors
    throw enough
  }
}

/** Bounded: a body may break a rule thousands of times. */
function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const faults: Fault[] = []
  for (const error of errors) {
    if (faults.length >= maxFaults) break
    faults.push(...faultOf(error))
  }
  return withNamesOnce(faults)
}

/** Lists the known field names once instead of with every unknown field. */
function withNamesOnce(faults: Fault[]): Fault[] {
  const first = faults.findIndex(({ code, allowed }) => code === 'unknown_field' && allowed)
  return faults.map(({ allowed, ...rest }, at) =>
    allowed === undefined || (rest.code === 'unknown_field' && at !== first)
      ? rest
      : { ...rest, allowed },
  )
}

function faultOf(found: ErrorObject): Fault[] {
  const error = { ...found, instancePath: shortPointer(found.instancePath) }
  const translate = translations[error.keyword] ?? unnamed
  const faults = translate(error)
  return isSecret(error) ? faults.map(({ given: _, ...rest }) => rest) : faults
}

const unnamed: Translate = ({ instancePath, message }) => [
  fault(instancePath, 'invalid_format', message ?? 'is not valid'),
]

/** Values of write-only fields are never echoed. */
const isSecret = ({ parentSchema }: ErrorObject) => parentSchema?.writeOnly === true

function unknownField({ instancePath, params, parentSchema }: ErrorObject): Fault {
  const name: string = params.additionalProperty
  const pointer = `${instancePath}/${pointerToken(name)}`
  const { readOnlyFields = [], properties = {} } = keywordsOf(parentSchema ?? {})
  if (readOnlyFields.includes(name)) {
    return fault(pointer, 'read_only_field', 'is set by the service only')
  }
  const known = Object.keys(properties)
  const nearest = nearestName(name, known)
  return nearest
    ? fault(pointer, 'unknown_field', `is not a known field; did you mean "${nearest}"?`)
    : fault(pointer, 'unknown_field', 'is not a known field', { allowed: known })
}

const maxEchoed = 100

/** Echoes short scalars only, to keep the response small. */
function given(value: unknown): { given?: unknown } {
  if (value instanceof ExactNumber) return { given: value.text.slice(0, maxEchoed) }
  if (typeof value === 'string') return { given: value.slice(0, maxEchoed) }
  return typeof value === 'object' && value !== null ? {} : { given: value }
}
