import { type RawBuilder, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import type { Context } from '../kernel/context.ts'
import type { Fault } from '../problems/fault.ts'
import type { FaultCode } from '../problems/fault-codes.ts'
import { choice } from '../schema/fields.ts'
import { exponentOf, unsupportedCurrency } from '../values/money.ts'
import { readTimeParameter } from '../values/times.ts'
import type { ParameterValue, Received } from './parameters.ts'

export type Condition = RawBuilder<boolean>

export type FilterRead =
  | {
      condition: Condition
      /** Holds for the same rows of the organization, and an index finds them by it. */
      byIndex?: (organizationId: string) => Condition
      /** The same for rows of the sample that totals are estimated by. */
      inSample?: Condition
    }
  | { fault: Fault }

/** A list filter: how its text is validated, and its condition on a row. */
export type Filter = {
  schema: TSchema
  /** How many values it takes: comma-separated, or sent one by one. Omitted: one, taken whole. */
  maxValues?: number
  read(values: readonly string[], name: string, received: Received): FilterRead
  /** Finds words; its condition replaces that of `read` in lists. */
  search?: Search
}

/** All of them are looked for, each in any of its spellings. */
export type Words = readonly (readonly string[])[]

export type Search = {
  wordsOf(text: string): Words
  find(ctx: Context, words: Words): Promise<Found>
  /** The nearest words that rows of the table have, for those that none has; undefined without any. */
  nearest?: (ctx: Context, table: string, words: Words) => Promise<Words | undefined>
}

export type Found = {
  condition: Condition
  /** As that of a filter; undefined while no index is complete. */
  byIndex?: IndexCondition
}

export type IndexCondition = () => Promise<Condition | undefined>

const maxAlternatives = 20
/** A page has at most as many rows. */
const maxIds = 100
const maxTextLength = 4096

/** Reads a parameter as received. */
export function readFilter(filter: Filter, name: string, received: Received): FilterRead {
  const read = readValues(filter, name, received)
  return 'fault' in read ? read : filter.read(read.values, name, received)
}

type Several = Pick<Filter, 'maxValues'>

/** The values of a parameter, or that they are too many. */
export function readValues(
  rule: Several,
  name: string,
  received: Received,
): { values: readonly string[] } | { fault: Fault } {
  const { maxValues = 1 } = rule
  const values = valuesOf(rule, received[name] ?? '')
  return values.length > maxValues ? tooManyValues(name, maxValues) : { values }
}

/** A value that is sent by itself may contain commas. */
export function valuesOf({ maxValues }: Several, given: ParameterValue): readonly string[] {
  if (typeof given !== 'string') return given
  return maxValues === undefined ? [given] : given.split(',').map((value) => value.trim())
}

const tooManyValues = (name: string, maxValues: number): { fault: Fault } =>
  refused(name, 'too_many_items', {
    message: `takes at most ${maxValues} values`,
    limit: maxValues,
  })

/** A filter of several values: a comma-separated text, or the parameter sent several times. */
export const severalOf = (
  item: TSchema,
  { description = '', maxValues = maxAlternatives, examples }: SeveralOptions,
): Pick<Filter, 'schema' | 'maxValues'> => ({
  schema: Type.Union(
    [Type.String({ maxLength: maxTextLength }), Type.Array(item, { maxItems: maxValues })],
    {
      description: `Comma-separated or repeated. ${description}`.trimEnd(),
      ...(examples && { examples }),
    },
  ),
  maxValues,
})

type SeveralOptions = { description?: string; maxValues?: number; examples?: readonly string[] }

type Alternatives = Pick<SeveralOptions, 'description'> & {
  allowed?: readonly string[]
  /** The schema of a value; by default one of `allowed`. */
  item?: TSchema
  /** Maps accepted aliases to the stored value. */
  asOurs?: (name: string) => string
}

/** Matches rows whose column has any of the values. */
export function anyOf(column: string, options: Alternatives = {}): Filter {
  const { allowed, asOurs = (value) => value, description = describe(options) } = options
  const { item = allowed && !options.asOurs ? choice(allowed) : Type.String() } = options
  return {
    ...severalOf(item, { description }),
    read(given, name) {
      const values = given.map(asOurs)
      const stranger = values.find((value) => allowed && !allowed.includes(value))
      if (allowed && stranger !== undefined) return notAllowed(name, stranger, allowed)
      return { condition: allowed ? isOneOf(column, values) : isAny(column, values) }
    },
  }
}

/** Known values stand in the text, where the planner sees which they are. */
const isOneOf = (column: string, values: readonly string[]) => {
  const [first = '', ...others] = [...new Set(values)].sort().map((value) => sql.lit(value))
  return others.length === 0
    ? sql<boolean>`${sql.ref(column)} = ${first}`
    : sql<boolean>`${sql.ref(column)} in (${sql.join([first, ...others])})`
}

/** Describes the values for a filter with aliases, whose schema cannot list them. */
const describe = ({ allowed, asOurs }: Alternatives) =>
  allowed && asOurs ? `One of ${allowed.join(', ')}, or another name that the field accepts.` : ''

/** Rows that meet the condition of any of the values. */
export const choiceOf = <Value extends string>(
  allowed: readonly Value[],
  {
    conditionOf,
    ...about
  }: Pick<Alternatives, 'description'> & {
    conditionOf: (value: Value) => Condition
  },
): Filter => ({
  ...severalOf(choice(allowed), about),
  read(values, name) {
    const stranger = values.find((value) => !allowed.some((each) => each === value))
    if (stranger !== undefined) return notAllowed(name, stranger, allowed)
    const conditions = allowed.filter((each) => values.includes(each)).map(conditionOf)
    return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})` }
  },
})

const notAllowed = (name: string, given: string, allowed: readonly string[]): { fault: Fault } =>
  refused(name, 'invalid_enum_value', {
    message: 'is not one of the allowed values',
    allowed,
    given: given.slice(0, 80),
  })

const isAny = (column: string, values: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${values})`

/** Matches rows whose list column contains any of the values. */
export const hasAny = (column: string): Filter => ({
  ...severalOf(Type.String(), {}),
  read: (values) => ({ condition: sql<boolean>`${sql.ref(column)} && ${values}::text[]` }),
})

/** Rows of any of these currencies; a code that is none would match nothing, as if all were well. */
export const byCurrency: Filter = {
  ...anyOf('currency'),
  read(given, name) {
    const stranger = given.find((code) => exponentOf(code) === undefined)
    if (stranger === undefined) return { condition: isAny('currency', given) }
    const { pointer: _, ...unsupported } = unsupportedCurrency('', stranger.slice(0, 80))
    return { fault: { ...unsupported, parameter: name } }
  },
}

/** The currency of a filter that names exactly one: amounts of different ones cannot be compared. */
export function oneCurrencyIn({ currency = '' }: Received): string | undefined {
  const [first, ...others] = valuesOf(severalOf(Type.String(), {}), currency)
  return first === '' || others.length > 0 ? undefined : first
}

/** The rows with these ids. */
export const byId = {
  id: {
    ...severalOf(Type.String(), { maxValues: maxIds, description: 'Unknown ids match nothing.' }),
    read: (values) => ({ condition: isAny('id', values) }),
  },
} satisfies Record<string, Filter>

const timeFilter = (column: string, operator: '>=' | '<'): Filter => ({
  schema: Type.String({
    format: 'date-time',
    description: operator === '>=' ? 'At this time or later.' : 'Before this time.',
  }),
  read([text = ''], name) {
    const read = readTimeParameter(text, name)
    if ('fault' in read) return read
    const { time } = read
    return { condition: sql<boolean>`${sql.ref(column)} ${sql.raw(operator)} ${time}::timestamptz` }
  },
})

/** `<name>_after` (inclusive) and `<name>_before` (exclusive). */
export const timeRange = (name: string, column: string): Record<string, Filter> => ({
  [`${name}_after`]: timeFilter(column, '>='),
  [`${name}_before`]: timeFilter(column, '<'),
})

/** Filters of lists of objects that clients mark as theirs. */
export const markFilters = { label: hasAny('labels'), external_id: anyOf('external_id') }

/** Filters of lists of what never changes. */
export const createdFilters = {
  ...byId,
  ...timeRange('created', 'created_at'),
}

/** Filters of every list of stored resources. */
export const commonFilters = {
  ...createdFilters,
  ...timeRange('updated', 'updated_at'),
}

type FilterFault = Partial<Fault> & { message: string }

export const refused = (
  parameter: string,
  code: FaultCode,
  filterFault: FilterFault,
): { fault: Fault } => ({
  fault: { parameter, code, ...filterFault },
})
