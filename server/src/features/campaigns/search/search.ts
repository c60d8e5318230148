import { type Expression, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Condition, Filter, Found, Words } from '../../../query/filters.ts'
import { inExternalId, inId, inName } from '../../../query/search/places.ts'
import { allOf, anyOf, inAny, wordsFound } from '../../../query/search/search.ts'
import { indexedCampaigns, type LookedFor } from './indexed.ts'
import { nearestOfCampaigns } from './nearest.ts'
import { profilesByWord } from './profiles.ts'

const places = [inName, inExternalId, inId]

/** Campaigns are found by the names of their profile and its client, too, as these are now. */
async function findCampaigns(ctx: Context, words: Words): Promise<Found> {
  const { condition, looked } = await lookFor(ctx, words)
  return { condition, byIndex: () => indexedCampaigns(ctx, looked, sql.ref('id')) }
}

type Looking = { condition: Condition; looked: readonly LookedFor[] }

async function lookFor(ctx: Context, words: Words): Promise<Looking> {
  const profiles = await profilesByWord(ctx, words)
  const looked = words.flatMap((spellings, at) => {
    const byWord = profiles[at]
    return byWord === undefined || byWord.areAll ? [] : [{ spellings, profileIds: byWord.ids }]
  })
  return { condition: allOf(looked.map(isFound)), looked }
}

const isFound = ({ spellings, profileIds }: LookedFor): Condition =>
  profileIds.length === 0
    ? inAny(places, spellings)
    : anyOf([sql`profile_id = any(${profileIds})`, inAny(places, spellings)])

const description =
  'the name, the `external_id`, the name of the profile or its client, or six characters or more of the id'

export const byWordsOfCampaign = {
  q: wordsFound(description, { find: findCampaigns, nearest: nearestOfCampaigns }),
} satisfies Record<string, Filter>

/** For lists of what campaigns have: a table, and its column with their ids. */
export const byWordsOfItsCampaign = (table: string, column: string) =>
  ({
    q: wordsFound(`what \`GET /campaigns\` searches`, {
      find: (ctx, words) => findOf(ctx, words, sql.ref(`${table}.${column}`)),
      nearest: nearestOfCampaigns,
    }),
  }) satisfies Record<string, Filter>

async function findOf(ctx: Context, words: Words, campaignId: Expression<unknown>): Promise<Found> {
  const { condition, looked } = await lookFor(ctx, words)
  return {
    condition: sql`exists (
      select from campaigns
      where campaigns.organization_id = ${ctx.organization.id} and campaigns.id = ${campaignId}
        and ${condition})`,
    byIndex: () => indexedCampaigns(ctx, looked, campaignId),
  }
}
