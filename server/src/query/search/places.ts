import { type Expression, type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { isAscii } from '../../values/folded.ts'
import { plain } from '../../values/plain.ts'
import { type Condition, type Filter, refused } from '../filters.ts'
import { ilike, isPartOf, likePart } from './part-of-text.ts'

/** Whether a row has the word, which comes plain, in one of its texts. */
type WordCondition = (word: string) => Condition

const maxLength = 255
const maxWords = 20

/** All words, in any order, each a part of a word in one of the places; none finds everything. */
export const wordsIn = (description: string, ...places: WordCondition[]): Filter => ({
  schema: Type.String({
    maxLength,
    description: `Words, in any order: each is part of ${description}, regardless of case and accents. At most ${maxWords}.`,
  }),
  read([text = ''], name) {
    if ([...text].length > maxLength) {
      const message = `has at most ${maxLength} characters`
      return refused(name, 'too_long', { message, limit: maxLength })
    }
    const words = wordsOf(text)
    if (words.length > maxWords) {
      const message = `has at most ${maxWords} words`
      return refused(name, 'too_many_items', { message, limit: maxWords })
    }
    return { condition: allOf(words.map((word) => anyOf(places.map((place) => place(word))))) }
  },
})

const wordsOf = (text: string): string[] => [
  ...new Set(
    plain(text)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
]

const allOf = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

const anyOf = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`

/** The name, of which the service keeps the plain form. */
const inName: WordCondition = (word) =>
  sql`coalesce(plain_name_folded, name_folded) like ${likePart(word)}`

/** A text that is seldom other than ASCII: compared regardless of case only. */
export const inText =
  (column: string): WordCondition =>
  (word) =>
    isAscii(word)
      ? // Half the time of `ilike`, which makes the pattern lower case at each row.
        sql`lower(${sql.ref(column)} collate "C") like ${likePart(word)}`
      : isPartOf(sql.ref(column), word)

/** A text in any language whose plain form is kept nowhere, so the database makes it. */
export const inAnyText =
  (text: Expression<unknown>): WordCondition =>
  (word) =>
    sql`(${inPlainText(text, word)})`

function inPlainText(text: Expression<unknown>, word: string): RawBuilder<boolean> {
  const isOther = sql<boolean>`octet_length(${text}) > char_length(${text})`
  const made = isPartOf(sql`plain_text(${text})`, word)
  return isAscii(word)
    ? sql<boolean>`${ilike(text, word)} or (${isOther} and ${made})`
    : sql<boolean>`${isOther} and ${made}`
}

export const byWordsOfName = { q: wordsIn('the name', inName) }

/** With the id that the object has elsewhere. */
export const byWords = {
  q: wordsIn('the name or `external_id`', inName, inText('external_id')),
}
