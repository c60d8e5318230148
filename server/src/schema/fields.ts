import { type TSchema, Type } from 'typebox'
import { exampleId, type IdType } from '../values/ids.ts'
import type { MoneyInput } from '../values/money.ts'
import { passwordLength } from '../values/password-rules.ts'
import { keywordsOf } from './keywords.ts'
import { patchOf } from './merge-patch.ts'

/** Shared schemas. A type array rather than a union keeps validation and serialization fast. */

type SchemaOptions = Record<string, unknown>

/** Also accepts null: clears the field in requests, means "none" in replies. */
export const orNull = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Type.Static<Schema> | null>(nullable(schema))

function nullable(schema: TSchema): SchemaOptions {
  const { enum: choices, ...rest } = keywordsOf(schema)
  const types = [rest.type].flat()
  if (types.includes('null')) return { ...keywordsOf(schema) }
  return { ...rest, ...(choices && { enum: [...choices, null] }), type: [...types, 'null'] }
}

/** One of a fixed list of strings. */
export const choice = <const Choices extends readonly string[]>(
  choices: Choices,
  options: SchemaOptions = {},
) => Type.Unsafe<Choices[number]>({ type: 'string', enum: [...choices], ...options })

/** A pattern: no control characters. */
export const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** A text in a reply, of which the document has an example as a whole. */
export const text = (description: string) => Type.String({ description })

export const texts = (description: string) => Type.Array(Type.String(), { description })

export const ExternalId = Type.String({
  title: 'ExternalId',
  minLength: 1,
  maxLength: 128,
  pattern: oneLine,
  description: 'Your own id, unique among the objects of this kind in the organization.',
  examples: ['crm-4711'],
})

/** Trimmed, 1–255 code points, no control characters. */
export const nameLike = (example: string, description = 'Free text label, stored trimmed.') =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    trim: true,
    pattern: oneLine,
    description,
    examples: [example],
  })

/** Validated by the keyword `newPassword`, which never echoes the value. */
export const NewPassword = Type.String({
  newPassword: true,
  stated: passwordLength,
  writeOnly: true,
  description: '12–256 characters, not among the most common ones.',
})

export const idOf = ({ pattern }: IdType, description: string) =>
  Type.String({ pattern, description })

/** RFC 3339; replies are in UTC with milliseconds. */
export const time = (description: string) => Type.String({ format: 'date-time', description })

const labelText = Type.String({ minLength: 1, maxLength: 80, trim: true })

export const Labels = Type.Array(labelText, {
  title: 'Labels',
  maxItems: 50,
  uniqueItems: true,
  description: 'Free tags to filter by.',
  examples: [['spring', 'emea']],
})

const maxMetadataBytes = 16 * 1024

/** `maxBytes` counts keys and values together. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  title: 'Metadata',
  type: 'object',
  maxProperties: 50,
  maxBytes: maxMetadataBytes,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,40}$' },
  additionalProperties: { type: 'string', maxLength: 500 },
  description: 'Your own keys and values, stored unchanged; at most 16 KiB in total.',
  examples: [{ crm_id: '4711' }],
})

export const Notes = Type.String({ title: 'Notes', maxLength: 2000, description: 'Free text.' })

/** Validated by the keyword `money`; keeps the source text of the number (see values/money.ts). */
export const moneyIn = (description: string) =>
  Type.Unsafe<MoneyInput>({ money: true, description })

export const moneyOut = (description: string) =>
  Type.Number({ description: `${description} In major units.` })

export const minorUnits = (description: string) =>
  Type.Integer({ description: `${description} Exact, in minor units.` })

export const Version = Type.Integer({
  minimum: 1,
  // PostgreSQL's `integer`.
  maximum: 2_147_483_647,
  description: 'Increases by one with every change; in quotes it is the `ETag`.',
})

/** Read-only fields of every stored resource. */
export const stamps = {
  version: Version,
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
  created_by: orNull(text('Id of the user or API key that created it.')),
  updated_by: orNull(text('Id of the user or API key that last changed it.')),
  created_by_name: nameBeside('created_by'),
  updated_by_name: nameBeside('updated_by'),
}

/** Added to replies; events and audit records have the id only. */
export function nameBeside(field: string) {
  const description = `Name behind \`${field}\`; null if it is gone. Not in events.`
  return Type.Optional(orNull(text(description)))
}

/** A secret in the reply that makes it. */
export const shownOnce = (description: string, options: SchemaOptions = {}) =>
  orNull(
    Type.String({
      description: `${description} Shown once: null when the request is replayed.`,
      ...options,
    }),
  )

/** A request body: unknown and read-only fields are faults. */
export const bodyOf = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: SchemaOptions = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/** The empty body of actions without input. */
export const NoBody = bodyOf({})

/** Response fields that only the service writes. */
export const readOnlyOf = (
  { properties }: { properties: Record<string, TSchema> },
  writable: object,
): string[] => Object.keys(properties).filter((field) => !(field in writable))

/** A body with all fields optional, for a PUT, which merges. */
export const settingsOf = <Properties extends Record<string, TSchema>>(
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
    description: 'The fields to change; omitted ones stay as they are.',
  })

/** The same for PUT and PATCH. */
export function changesOf<Properties extends Record<string, TSchema>>(
  properties: Properties,
  readOnly: readonly string[],
  title: string,
) {
  const changes = settingsOf(properties, readOnly, title)
  const patch = patchOf(changes)
  return patch === changes ? changes : Object.assign(changes, { basedOn: patch })
}

export const PageMeta = Type.Object(
  {
    next_cursor: orNull(text('Send as `cursor` to get the next page; null on the last one.')),
    has_more: Type.Boolean({ description: 'True if there is another page.' }),
    total: Type.Optional(
      Type.Integer({ description: 'Total number of rows; only with `include_total=true`.' }),
    ),
    total_is_estimate: Type.Optional(
      Type.Literal(true, {
        description:
          'Present where `total` is an estimate, to two digits, as an exact count would take long.',
      }),
    ),
    search: Type.Optional(
      Type.Literal('similar', {
        description: 'Present where nothing has the words of `q`: the rows have the nearest ones.',
      }),
    ),
  },
  { title: 'PageMeta', description: 'Where the page stands in the list.' },
)

/** The envelope of every list. */
export const pageOfSchema = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: rows(item), meta: PageMeta }, listTitle(item))

/** The `data` of a list. */
export const rows = <Item extends TSchema>(item: Item, description = 'The rows, in order.') =>
  Type.Array(item, { description })

function listTitle(item: TSchema): SchemaOptions {
  const { title } = keywordsOf(item)
  return title ? { title: `${title}List` } : {}
}

/** An id in a body; the verb checks that it exists (`invalid_reference`). */
export const referenceTo = (type: IdType, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description,
    examples: [exampleId(type)],
    stated: { pattern: type.pattern },
  })

export const currencyCode = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 8,
    description,
    examples: ['USD'],
    stated: { pattern: '^[A-Z]{3}$' },
  })

export const timeZoneName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: ['Europe/Berlin'] })
