import { type TSchema, Type } from 'typebox'
import { exampleId, type IdKind, idPattern } from '../values/ids.ts'
import type { MoneyInput } from '../values/money.ts'

/** Shared schemas. A type array rather than a union keeps validation and serialization fast. */

type Options = Record<string, unknown>

/** Also accepts null: clears the field in requests, means "none" in replies. */
export const orNull = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Type.Static<Schema> | null>(nullable(schema as Options))

function nullable(schema: Options): Options {
  const { enum: choices, ...rest } = schema
  const listed = Array.isArray(choices) ? { enum: [...choices, null] } : {}
  return { ...rest, ...listed, type: [schema.type, 'null'].flat() }
}

/** One of a fixed list of strings. */
export const choice = <const Choices extends readonly string[]>(
  choices: Choices,
  options: Options = {},
) => Type.Unsafe<Choices[number]>({ type: 'string', enum: [...choices], ...options })

/** A pattern: no control characters. */
export const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: oneLine,
  description: 'Your own id, unique in the organization.',
})

/** Trimmed, 1–255 code points, no control characters. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  trim: true,
  pattern: oneLine,
  description: 'Free text label, stored trimmed.',
  examples: ['Spring Sale 2026'],
})

/** Validated by the keyword `newPassword`, which never echoes the value. */
export const NewPassword = Type.String({
  newPassword: true,
  writeOnly: true,
  description: '12–256 characters, not among the most common ones.',
})

export const idOf = (kind: IdKind, description = '') =>
  Type.String({ pattern: idPattern(kind), ...(description && { description }) })

export const Time = Type.String({
  format: 'date-time',
  description: 'RFC 3339. Replies are in UTC with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

const labelText = Type.String({ minLength: 1, maxLength: 80, trim: true })

export const Labels = Type.Array(labelText, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Free tags to filter by.',
  examples: [['spring', 'emea']],
})

const maxMetadataBytes = 16 * 1024

/** `maxBytes` counts keys and values together. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  maxBytes: maxMetadataBytes,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,40}$' },
  additionalProperties: { type: 'string', maxLength: 500 },
  description: 'Your own keys and values, stored unchanged; at most 16 KiB in total.',
  examples: [{ crm_id: '4711' }],
})

export const Notes = Type.String({ maxLength: 2000, description: 'Free text.' })

/** Validated by the keyword `money`; keeps the source text of the number (see values/money.ts). */
export const MoneyIn = Type.Unsafe<MoneyInput>({
  money: true,
  description:
    'Amount in major units: a JSON number, or the same as a decimal string of at most 64 characters. Never rounded.',
  examples: [33.51],
})

export const MoneyOut = Type.Number({ description: 'Amount in major units.', examples: [33.51] })

export const MinorUnits = Type.Integer({
  description: 'The exact amount in minor units of the currency.',
  examples: [3351],
})

export const Version = Type.Integer({
  minimum: 1,
  description: 'Increases by one with every change; in quotes it is the `ETag`.',
})

/** Read-only fields of every stored resource. */
export const stamps = {
  version: Version,
  created_at: Time,
  updated_at: Time,
  created_by: orNull(Type.String({ description: 'Id of the user or API key that created it.' })),
  updated_by: orNull(
    Type.String({ description: 'Id of the user or API key that last changed it.' }),
  ),
}

/** A request body: unknown and read-only fields are faults. */
export const bodyOf = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: Options = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/** The empty body of actions without input. */
export const NoBody = bodyOf({})

/** Response fields that only the service writes. */
export const readOnlyOf = (
  { properties }: { properties: Record<string, TSchema> },
  writable: object,
): string[] => Object.keys(properties).filter((field) => !(field in writable))

/** A body with all fields optional, for PUT and PATCH: both merge. */
export const changesOf = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  readOnly: readonly string[],
  title: string,
) =>
  Type.Partial(Type.Object(properties), {
    additionalProperties: false,
    // Read-only fields may be sent back unchanged; the merge compares them.
    echoes: readOnly,
    minProperties: 0,
    title,
  })

const PageMeta = Type.Object(
  {
    next_cursor: orNull(Type.String({ description: 'Send as `cursor` to get the next page.' })),
    has_more: Type.Boolean({ description: 'True if there is another page.' }),
    total: Type.Optional(
      Type.Integer({ description: 'Total number of rows; only with `include_total=true`.' }),
    ),
  },
  { title: 'PageMeta' },
)

/** The envelope of every list. */
export const pageOfSchema = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item), meta: PageMeta }, listTitle(item as Options))

const listTitle = ({ title }: Options) => (title ? { title: `${title}List` } : {})

/** An id in a body; the verb checks that it exists (`invalid_reference`). */
export const referenceTo = (kind: IdKind, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description,
    examples: [exampleId(kind)],
  })

export const currencyCode = (description: string) =>
  Type.String({ minLength: 1, maxLength: 8, description, examples: ['USD'] })

export const timeZoneName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: ['Europe/Berlin'] })
