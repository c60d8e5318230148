import { sql } from 'kysely'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Words } from '../../../query/filters.ts'
import { inAnyText, inName } from '../../../query/search/places.ts'
import { inAny } from '../../../query/search/search.ts'

/** Profiles that a word finds, by their names or those of their clients. */
export type ByWord = { ids: readonly string[]; areAll: boolean }

type ProfileWithWords = { id: string; words: string; total: number }

const places = [inName, inAnyText(sql.ref('client'))]

/** For each of the words, in one statement. */
export async function profilesByWord(ctx: Context, words: Words): Promise<ByWord[]> {
  if (words.length === 0) return []
  const marks = words.map(
    (spellings, at) => sql`case when ${inAny(places, spellings)} then ${sql.lit(` ${at} `)} end`,
  )
  const statement = sql`
    select id, words, total
    from (
      select id, concat(${sql.join(marks)}) as words, count(*) over () as total
      from profile_details
      where organization_id = ${ctx.organization.id}
    ) as marked
    where words <> ''`
  const rows = await ctx.reader.query<ProfileWithWords>(statement.compile(builder))
  return words.map((_, at) => {
    const ids = rows.flatMap(({ id, words }) => (words.includes(` ${at} `) ? [id] : []))
    return { ids, areAll: ids.length > 0 && ids.length === Number(rows[0]?.total) }
  })
}
