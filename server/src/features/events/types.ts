import { sql } from 'kysely'
import { Type } from 'typebox'
import { unknownEvent } from '../../kernel/event-types.ts'
import { isSubscribed } from '../../kernel/outbox.ts'
import type { Fault } from '../../problems/problem.ts'
import {
  alternativesIn,
  type Filter,
  maxAlternatives,
  tooManyAlternatives,
} from '../../query/filters.ts'

/** The `type` parameter of the list and the stream. */
const typeParameter = Type.String({
  maxLength: 4096,
  description: `Event types, comma-separated, at most ${maxAlternatives}; \`campaign.*\` matches all of one resource, \`*\` matches everything. See GET /event_types.`,
  examples: ['campaign.*,profile.updated'],
})

/** The selected types; null is all of them. */
export function readTypes(
  text: string,
  known: readonly string[],
): { types: readonly string[] | null } | { fault: Fault } {
  const patterns = alternativesIn(text)
  if (patterns.length > maxAlternatives) return tooManyAlternatives('type')
  const stranger = patterns.find((name) => !known.some((type) => isSubscribed([name], type)))
  if (stranger !== undefined) {
    return { fault: { parameter: 'type', ...unknownEvent(stranger, known) } }
  }
  return {
    types: patterns.includes('*') ? null : known.filter((type) => isSubscribed(patterns, type)),
  }
}

export const typeFilter = (known: readonly string[]): Filter => ({
  schema: typeParameter,
  read(text) {
    const read = readTypes(text, known)
    if ('fault' in read) return read
    const { types } = read
    return { condition: types ? sql<boolean>`type = any(${types})` : sql<boolean>`true` }
  },
})
