import { type Expression, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Condition } from '../../../query/filters.ts'
import { keyOfReference, keysOfWord } from '../../../query/search/keys.ts'
import { allOf, anyOf } from '../../../query/search/search.ts'

/** With more events to come, all rows are read: that costs as much. */
const maxBehind = 5_000

/** Campaigns that were changed since the index was kept are found beside it. */
const changedSql = `
  select array(
    select distinct e.body::json #>> '{data,object,id}' from events e
    where e.organization_id = $1 and e.sequence > s.through and e.type like 'campaign.%'
  ) as changed
  from campaign_search_states s
  join organization_heads h on h.organization_id = s.organization_id
  where s.organization_id = $1 and s.built_to is null
    and h.event_sequence <= s.through + ${maxBehind}`

type Kept = { changed: string[] }

/** A word that not all campaigns have by their profile. */
export type LookedFor = { spellings: readonly string[]; profileIds: readonly string[] }

/**
 * The campaigns that may have the words, by the index; undefined where there is none yet, or where no
 * word narrows them down.
 */
export async function indexedCampaigns(
  ctx: Context,
  looked: readonly LookedFor[],
  campaignId: Expression<unknown>,
): Promise<Condition | undefined> {
  if (looked.length === 0) return undefined
  const [kept] = await ctx.reader.query<Kept>(tenantQuery(ctx, changedSql))
  if (!kept) return undefined
  const { id } = ctx.organization
  return sql`${campaignId} in (
    select id from campaign_search
    where organization_id = ${id} and ${allOf(looked.map((each) => hasKeys(id, each)))}
    union all
    select unnest(${kept.changed}::text[]))`
}

const hasKeys = (organizationId: string, { spellings, profileIds }: LookedFor): Condition => {
  const own = spellings.map(
    (word) => sql<boolean>`keys @> ${keysOfWord(organizationId, word)}::integer[]`,
  )
  if (profileIds.length === 0) return anyOf(own)
  const references = profileIds.map((id) => keyOfReference(organizationId, id))
  return anyOf([...own, sql`keys && ${references}::integer[]`])
}
