import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Words } from '../../../query/filters.ts'
import { keysOfParts } from '../../../query/search/keys.ts'
import { nameText } from '../../../query/search/places.ts'
import { lettersOf } from '../../../query/search/search.ts'
import { nearestWords } from '../../../query/search/similar.ts'

/** The nearest words of the campaigns, their profiles and clients. */
export async function nearestOfCampaigns(
  ctx: Context,
  _: string,
  words: Words,
): Promise<Words | undefined> {
  const [ofProfiles, ofClients, isKept] = await Promise.all([
    lettersOf(ctx, 'profile_details', nameText),
    lettersOf(ctx, 'profile_details', sql`client`),
    isIndexed(ctx),
  ])
  const ofFew = isKept ? [] : await ofFewCampaigns(ctx)
  const known = [...ofProfiles, ...ofClients, ...ofFew]
  return nearestWords(words, async (word) =>
    isKept ? [...known, ...(await wordsLike(ctx, word))] : known,
  )
}

/** Words of names, unless there are enough campaigns for an index that has them. */
const ofFewCampaigns = async (ctx: Context): Promise<string[]> =>
  (await ctx.services.limits.largeLists.has(ctx, 'campaigns'))
    ? []
    : lettersOf(ctx, 'campaigns', nameText)

const indexedSql = `
  select organization_id from campaign_search_states where organization_id = $1 and built_to is null`

const isIndexed = async (ctx: Context): Promise<boolean> =>
  (await ctx.reader.query(tenantQuery(ctx, indexedSql))).length > 0

/** Words with a part of this one; they stay when no campaign has them any more. */
const likeSql = `
  select word from campaign_words where organization_id = $1 and keys && $2::integer[] limit 5000`

async function wordsLike(ctx: Context, word: string): Promise<string[]> {
  const keys = keysOfParts(ctx.organization.id, word)
  const rows = await ctx.reader.query<{ word: string }>(tenantQuery(ctx, likeSql, keys))
  return rows.map((row) => row.word)
}
