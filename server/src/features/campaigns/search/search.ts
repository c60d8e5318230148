import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Condition, Filter, Found, Words } from '../../../query/filters.ts'
import { inExternalId, inId, inName } from '../../../query/search/places.ts'
import { allOf, anyOf, inAny, wordsFound } from '../../../query/search/search.ts'
import { indexedCampaigns, type LookedFor } from './indexed.ts'
import { profilesByWord } from './profiles.ts'

const places = [inName, inExternalId, inId]

/** Campaigns are found by the names of their profile and its client, too, as these are now. */
async function findCampaigns(ctx: Context, words: Words): Promise<Found> {
  const profiles = await profilesByWord(ctx, words)
  const looked = words.flatMap((spellings, at) => {
    const byWord = profiles[at]
    return byWord === undefined || byWord.areAll ? [] : [{ spellings, profileIds: byWord.ids }]
  })
  return {
    condition: allOf(looked.map(isFound)),
    byIndex: () => indexedCampaigns(ctx, looked),
  }
}

const isFound = ({ spellings, profileIds }: LookedFor): Condition =>
  profileIds.length === 0
    ? inAny(places, spellings)
    : anyOf([sql`profile_id = any(${profileIds})`, inAny(places, spellings)])

const description =
  'the name, the `external_id`, the name of the profile or its client, or six characters or more of the id'

export const byWordsOfCampaign = {
  q: wordsFound(description, findCampaigns),
} satisfies Record<string, Filter>
