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

/** The parameter `type`, of the list and of the stream. */
const typeParameter = Type.String({
  maxLength: 4096,
  description: `Any of these types, separated by commas, at most ${maxAlternatives}; \`campaign.*\` stands for all of one resource, \`*\` for all. GET /event_types has them.`,
  examples: ['campaign.*,profile.updated'],
})

/** What the parameter asks for; null is everything. */
export function readTypes(
  text: string,
  known: readonly string[],
): { types: readonly string[] | null } | { fault: Fault } {
  const asked = alternativesIn(text)
  if (asked.length > maxAlternatives) return tooManyAlternatives('type')
  const stranger = asked.find((name) => !known.some((type) => isSubscribed([name], type)))
  if (stranger !== undefined) {
    return { fault: { parameter: 'type', ...unknownEvent(stranger, known) } }
  }
  return { types: asked.includes('*') ? null : known.filter((type) => isSubscribed(asked, type)) }
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
