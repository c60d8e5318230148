/** The filter `q` of lists. */
import { sql } from 'kysely'
import type { Condition, Filter, Found, Search, Words } from '../filters.ts'
import { inExternalId, inId, inName, type WordCondition } from './places.ts'
import { readWords, wordsOf, wordsSchema } from './words.ts'

/** All words, in any order, each a part of a word in one of the places; none finds everything. */
export function wordsIn(description: string, ...places: WordCondition[]): Filter {
  const conditionOf = (words: Words) => allOf(words.map((spellings) => inAny(places, spellings)))
  return {
    schema: wordsSchema(description),
    read([text = ''], name) {
      const read = readWords(text, name)
      return 'fault' in read ? read : { condition: conditionOf(read.words) }
    },
    search: searching(async (_, words) => ({ condition: conditionOf(words) })),
  }
}

/** Words that are found by what must be read first: its condition on a row comes with the search. */
export const wordsFound = (description: string, find: Search['find']): Filter => ({
  schema: wordsSchema(description),
  read([text = ''], name) {
    const read = readWords(text, name)
    return 'fault' in read ? read : { condition: sql<boolean>`true` }
  },
  search: searching(find),
})

const searching = (find: (...given: Parameters<Search['find']>) => Promise<Found>): Search => ({
  wordsOf: (text) => wordsOf(text).map((word) => [word]),
  find,
})

/** Any of the spellings in any of the places. */
export const inAny = (places: readonly WordCondition[], spellings: readonly string[]): Condition =>
  anyOf(spellings.flatMap((word) => places.map((place) => place(word))))

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

export const anyOf = (conditions: readonly Condition[]): Condition =>
  sql`(${sql.join(conditions, sql` or `)})`

const partOfId = 'six characters or more of the id'

export const byWordsOfName = { q: wordsIn(`the name, or ${partOfId}`, inName, inId) }

/** With the id that the object has elsewhere. */
export const byWords = {
  q: wordsIn(`the name or \`external_id\`, or ${partOfId}`, inName, inExternalId, inId),
}
