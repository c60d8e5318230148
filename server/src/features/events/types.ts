import { sql } from 'kysely'
import { Type } from 'typebox'
import { unknownEvent } from '../../kernel/event-types.ts'
import { isSubscribed } from '../../kernel/outbox.ts'
import type { Fault } from '../../problems/fault.ts'
import { type Filter, severalOf, valuesOf } from '../../query/filters.ts'
import type { ParameterValue } from '../../query/parameters.ts'

/** The `type` parameter of the list and the stream. */
export const typeParameter = severalOf(Type.String({ publishedAs: 'EventPattern' }), {
  description:
    'Event types; `campaign.*` matches all of one resource, `*` matches everything. See GET /reference/events.',
  examples: ['campaign.*,profile.updated'],
})

/** The selected types; null is all of them. */
export function readTypes(
  patterns: readonly string[],
  known: readonly string[],
): { types: readonly string[] | null } | { fault: Fault } {
  const stranger = patterns.find((name) => !known.some((type) => isSubscribed([name], type)))
  if (stranger !== undefined) {
    return { fault: { parameter: 'type', ...unknownEvent(stranger, known) } }
  }
  return {
    types: patterns.includes('*') ? null : known.filter((type) => isSubscribed(patterns, type)),
  }
}

/** The same of a parameter that is checked already, or absent. */
export function typesIn(given: ParameterValue | undefined, known: readonly string[]) {
  const read = given === undefined ? undefined : readTypes(valuesOf(typeParameter, given), known)
  return read && 'types' in read ? read.types : null
}

export const typeFilter = (known: readonly string[]): Filter => ({
  ...typeParameter,
  read(patterns) {
    const read = readTypes(patterns, known)
    if ('fault' in read) return read
    const { types } = read
    return { condition: types ? sql<boolean>`type = any(${types})` : sql<boolean>`true` }
  },
})
