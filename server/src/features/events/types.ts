import { closest } from 'fastest-levenshtein'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Fault } from '../../kernel/errors.ts'
import type { Filter } from '../../kernel/filters.ts'
import { wants } from '../../kernel/outbox.ts'

const mostAlternatives = 20

/** The parameter `type`, of the list and of the stream. */
const typeParameter = Type.String({
  maxLength: 4096,
  description: `Any of these types, separated by commas, at most ${mostAlternatives}; \`campaign.*\` stands for all of one resource, \`*\` for all. GET /event_types has them.`,
  examples: ['campaign.*,profile.updated'],
})

/** What the parameter asks for; null is everything. */
export function readTypes(
  text: string,
  known: readonly string[],
): { types: readonly string[] | null } | { fault: Fault } {
  const asked = text.split(',').map((name) => name.trim())
  if (asked.length > mostAlternatives) return { fault: tooMany }
  const stranger = asked.find((name) => !known.some((type) => wants([name], type)))
  if (stranger !== undefined) return { fault: unknownType(stranger, known) }
  return { types: asked.includes('*') ? null : known.filter((type) => wants(asked, type)) }
}

const tooMany: Fault = {
  parameter: 'type',
  code: 'too_many_items',
  message: `takes at most ${mostAlternatives} values`,
  limit: mostAlternatives,
}

function unknownType(name: string, known: readonly string[]): Fault {
  const groups = known.map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`)
  const allowed = ['*', ...new Set(groups), ...known]
  const given = name.slice(0, 80)
  const message = `is not a type of event; did you mean "${closest(given, allowed)}"?`
  return { parameter: 'type', code: 'unknown_event', message, allowed, given }
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
