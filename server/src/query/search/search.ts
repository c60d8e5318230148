/** The filter `q` of lists. */
import { type RawBuilder, sql } from 'kysely'
import { builder } from '../../database/tables/kysely.ts'
import type { TenantTable } from '../../database/tables/tenant-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { plain } from '../../values/plain.ts'
import type { Condition, Filter, Search, Words } from '../filters.ts'
import { inExternalId, inId, inName, nameText, type WordCondition } from './places.ts'
import { lettersIn, nearestWords } from './similar.ts'
import { readWords, wordsOf, wordsSchema } from './words.ts'

type Places = {
  places: readonly WordCondition[]
  /** The text whose words may be meant by others; omitted where there may be very many. */
  text?: RawBuilder<string>
  /** The table that has the text, where it is not the list's own. */
  textOf?: TenantTable
  byIndex?: (ctx: Context, words: Words) => Promise<Condition | undefined>
}

/** All words, in any order, each a part of a word in one of the places; none finds everything. */
export function wordsIn(description: string, { places, text, textOf, byIndex }: Places): Filter {
  const conditionOf = (words: Words) => allOf(words.map((spellings) => inAny(places, spellings)))
  return {
    schema: wordsSchema(description),
    read([given = ''], name) {
      const read = readWords(given, name)
      return 'fault' in read ? read : { condition: conditionOf(read.words) }
    },
    search: {
      wordsOf: eachWord,
      find: async (ctx, words) => ({
        condition: conditionOf(words),
        ...(byIndex && { byIndex: () => byIndex(ctx, words) }),
      }),
      ...(text && { nearest: nearestIn(text, textOf) }),
    },
  }
}

/** Words that are found by what must be read first: its condition on a row comes with the search. */
export const wordsFound = (description: string, search: Omit<Search, 'wordsOf'>): Filter => ({
  schema: wordsSchema(description),
  read([text = ''], name) {
    const read = readWords(text, name)
    return 'fault' in read ? read : { condition: sql<boolean>`true` }
  },
  search: { ...search, wordsOf: eachWord },
})

const eachWord = (text: string): Words => wordsOf(text).map((word) => [word])

/** As many as an organization may have of what is capped. */
const maxTexts = 2_000

/** Compares the words with those of the rows themselves. */
const nearestIn =
  (text: RawBuilder<string>, textOf?: TenantTable) =>
  async (ctx: Context, table: string, words: Words): Promise<Words | undefined> => {
    const known = await lettersOf(ctx, textOf ?? table, text)
    return nearestWords(words, async () => known)
  }

/** The words of a text of the organization's rows. */
export async function lettersOf(
  ctx: Context,
  table: string,
  text: RawBuilder<string>,
): Promise<string[]> {
  const statement = sql`select ${text} as text from ${sql.table(table)}
    where organization_id = ${ctx.organization.id} limit ${sql.lit(maxTexts)}`
  const rows = await ctx.reader.query<{ text: string | null }>(statement.compile(builder))
  return lettersIn(plain(rows.map(({ text }) => text ?? '').join(' ')))
}

/** Any of the spellings in any of the places. */
export const inAny = (places: readonly WordCondition[], spellings: readonly string[]): Condition =>
  anyOf(spellings.flatMap((word) => places.map((place) => place(word))))

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

export const anyOf = (conditions: readonly Condition[]): Condition =>
  sql`(${sql.join(conditions, sql` or `)})`

const partOfId = 'six characters or more of the id'

export const byWordsOfName = {
  q: wordsIn(`the name, or ${partOfId}`, { places: [inName, inId], text: nameText }),
}

/** With the id that the object has elsewhere. */
export const byWords = {
  q: wordsIn(`the name or \`external_id\`, or ${partOfId}`, {
    places: [inName, inExternalId, inId],
    text: nameText,
  }),
}
