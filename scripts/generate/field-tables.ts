/** Tables of the fields of a body, read from the OpenAPI document. */

type Schema = {
  $ref?: string
  type?: string | readonly string[]
  anyOf?: readonly Schema[]
  description?: string
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  items?: Schema
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

export type Schemas = Readonly<Record<string, Schema>>

/** The fields of a schema with their rules, in its order. */
export function fieldRows(schemas: Schemas, name: string): string[][] {
  const { properties, required = [] } = schemas[name] ?? {}
  if (!properties) throw new Error(`no body is called ${name}`)
  return Object.entries(properties).map(([field, given]) => {
    const schema = resolved(schemas, given)
    const rules = [schema.description, ...boundsOf(schema)]
    return [
      `\`${field}\``,
      [required.includes(field) ? 'Required.' : '', ...rules].join(' ').trim(),
    ]
  })
}

/** Without references and null, which every optional field takes. */
function resolved(schemas: Schemas, schema: Schema): Schema {
  const { $ref, anyOf = [], ...own } = schema
  if ($ref) return { ...resolved(schemas, schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...own }
  const [one, ...more] = anyOf.filter(({ type }) => type !== 'null')
  return one && more.length === 0 ? { ...resolved(schemas, one), ...own } : own
}

/** More values than these are not listed. */
const mostValues = 12

function boundsOf(schema: Schema): string[] {
  const { enum: values, items, maxProperties, propertyNames, additionalProperties } = schema
  if (values) return values.length > mostValues ? [] : [`${values.map(code).join(' ')}.`]
  if (schema.maxItems !== undefined) {
    const each = items && lengthOf(items)
    const count = `${range(schema.minItems, schema.maxItems)} items`
    return [`${count}${each ? `, of ${each} each` : ''}.`]
  }
  if (maxProperties !== undefined) {
    const key = propertyNames?.pattern && `Keys match ${code(propertyNames.pattern)}.`
    const value = typeof additionalProperties === 'object' && lengthOf(additionalProperties)
    const count = `${range(0, maxProperties)} keys`
    return [`${count}${value ? `, with values of ${value}` : ''}.`, key || []].flat()
  }
  if (schema.maximum !== undefined) return [`${range(schema.minimum, schema.maximum)}.`]
  const length = lengthOf(schema)
  return length ? [`${length.charAt(0).toUpperCase()}${length.slice(1)}.`] : []
}

/** Undefined for ids, codes, times and known values, which have a length of their own. */
function lengthOf({ minLength, maxLength, ...more }: Schema): string | undefined {
  const { pattern, format, enum: values } = more
  const hasOwn = /^\^(?:[a-z]+_\[|\[A-Z\])/.test(pattern ?? '')
  if (maxLength === undefined || format || values || hasOwn) return undefined
  return `${range(minLength, maxLength).toLowerCase()} characters`
}

const range = (least = 0, most: number): string =>
  least > 0 ? `${grouped(least)} to ${grouped(most)}` : `At most ${grouped(most)}`

const grouped = (count: number) => count.toLocaleString('en-US')

const code = (value: unknown) => `\`${value}\``
