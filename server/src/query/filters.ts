import { type RawBuilder, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import type { FaultCode } from '../problems/fault-codes.ts'
import type { Fault } from '../problems/problem.ts'
import { readTimeParameter } from '../values/times.ts'
import { isPartOf } from './part-of-text.ts'

export type Condition = RawBuilder<boolean>

/** A list filter: how its text is validated, and its condition on a row. */
export type Filter = {
  schema: TSchema
  read(text: string, name: string): { condition: Condition } | { fault: Fault }
}

export const maxAlternatives = 20
const maxSearchLength = 255

/** The names in `a,b,c`. */
export const alternativesIn = (text: string): string[] => text.split(',').map((name) => name.trim())

export const tooManyAlternatives = (name: string): { fault: Fault } =>
  refused(name, 'too_many_items', {
    message: `takes at most ${maxAlternatives} values`,
    limit: maxAlternatives,
  })

type Normalize = (name: string) => string

/**
 * `a,b,c`: matches rows whose column has any of the values. `asOurs` maps accepted aliases to the
 * stored value.
 */
export function anyOf(column: string, allowed?: readonly string[], asOurs?: Normalize): Filter {
  const stored = asOurs ?? ((value) => value)
  const others = asOurs ? '. Aliases that the field accepts also work' : ''
  return {
    schema: Type.String({
      maxLength: 4096,
      description: `Comma-separated values, at most ${maxAlternatives}${allowed ? `: ${allowed.join(', ')}` : ''}${others}.`,
    }),
    read(text, name) {
      const values = alternativesIn(text).map(stored)
      if (values.length > maxAlternatives) return tooManyAlternatives(name)
      const stranger = values.find((value) => allowed && !allowed.includes(value))
      if (allowed && stranger !== undefined) {
        const message = 'is not one of the allowed values'
        return refused(name, 'invalid_enum_value', {
          message,
          allowed,
          given: stranger.slice(0, 80),
        })
      }
      return { condition: sql<boolean>`${sql.ref(column)} = any(${values})` }
    },
  }
}

/** Matches rows whose list column contains any of the values. */
export const hasAny = (column: string): Filter => ({
  ...anyOf(column),
  read(text, name) {
    const read = anyOf(column).read(text, name)
    if ('fault' in read) return read
    return { condition: sql<boolean>`${sql.ref(column)} && ${alternativesIn(text)}::text[]` }
  },
})

/** Case-insensitive substring. */
export const contains = (column: string): Filter => ({
  schema: Type.String({
    maxLength: maxSearchLength,
    description: 'Part of the name, case-insensitive.',
  }),
  read(text, name) {
    if ([...text].length > maxSearchLength) {
      const message = `has at most ${maxSearchLength} characters`
      return refused(name, 'too_long', { message, limit: maxSearchLength })
    }
    return { condition: isPartOf(sql.ref(column), text) }
  },
})

const timeFilter = (column: string, operator: '>=' | '<'): Filter => ({
  schema: Type.String({
    format: 'date-time',
    description: operator === '>=' ? 'At this time or later.' : 'Before this time.',
  }),
  read(text, name) {
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

/** Filters of every list of stored resources. */
export const commonFilters = {
  ...timeRange('created', 'created_at'),
  ...timeRange('updated', 'updated_at'),
}

type FilterFault = Partial<Fault> & { message: string }

const refused = (
  parameter: string,
  code: FaultCode,
  filterFault: FilterFault,
): { fault: Fault } => ({
  fault: { parameter, code, ...filterFault },
})
