/** Conditions on a row: that it has a word, which comes plain, in one of its texts. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { isAscii } from '../../values/folded.ts'
import type { Condition } from '../filters.ts'
import { ilike, isPartOf, likePart } from './part-of-text.ts'

export type WordCondition = (word: string) => Condition

/** The plain form of the name, which the service keeps. */
export const nameText = sql<string>`coalesce(plain_name_folded, name_folded)`

export const inName: WordCondition = (word) => sql`${nameText} like ${likePart(word)}`

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

export const inExternalId = inAnyText(sql.ref('external_id'))

/** Ids are random: fewer characters would be in those of others by chance. */
const partOfId = /^[0-9a-z_]{6,}$/

export const inId: WordCondition = (word) =>
  partOfId.test(word) ? sql<boolean>`id like ${likePart(word)}` : sql<boolean>`false`
