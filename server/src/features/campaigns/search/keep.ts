import type { Statement } from '../../../database/driver/protocol.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { IndexStep } from '../../../query/search/keeping.ts'
import { keyOfReference, keysOfId, keysOfParts, keysOfText } from '../../../query/search/keys.ts'
import { lettersIn } from '../../../query/search/similar.ts'
import { plain } from '../../../values/plain.ts'

/** How far the index of an organization is. */
export type SearchState = {
  /** The sequence of the last event that it follows. */
  through: number
  /** While it is made: the last campaign that it has. */
  built_to: string | null
}

/** As many hold up other requests for about 5 ms. */
const chunkSize = 100

const columns = 'id, coalesce(plain_name_folded, name_folded) as name, external_id, profile_id'

type IndexedCampaign = { id: string; name: string; external_id: string | null; profile_id: string }

const nextSql = `
  select ${columns} from campaigns where organization_id = $1 and id > $2
  order by id limit ${chunkSize}`

/** Adds the next campaigns to an index that is being made. */
export async function build(ctx: Context, state: SearchState): Promise<IndexStep<SearchState>> {
  const next = await ctx.reader.query<IndexedCampaign>(tenantQuery(ctx, nextSql, state.built_to))
  const isWhole = next.length < chunkSize
  const reached = { ...state, built_to: isWhole ? null : (next.at(-1)?.id ?? null) }
  return {
    statements: [...storing(ctx, next), reaching(ctx, reached)],
    next: reached,
  }
}

// Whatever changes a campaign announces it, in the order of the sequence.
const eventsSql = `
  select sequence, case when type like 'campaign.%' then body::json #>> '{data,object,id}' end as id
  from events where organization_id = $1 and sequence > $2
  order by sequence limit ${chunkSize}`

const changedSql = `
  select ${columns} from campaigns where organization_id = $1 and id = any($2::text[])`

/** Follows the next events. */
export async function follow(ctx: Context, state: SearchState): Promise<IndexStep<SearchState>> {
  const events = await ctx.reader.query<{ sequence: number; id: string | null }>(
    tenantQuery(ctx, eventsSql, state.through),
  )
  const [first, last] = [events[0], events.at(-1)]
  if (!first || !last) return { statements: [], next: null }
  // Events are gone that it has not followed, as after the reset of a sandbox.
  if (first.sequence !== state.through + 1) return { statements: forgetting(ctx), next: null }
  const ids = [...new Set(events.flatMap(({ id }) => id ?? []))]
  const changed =
    ids.length === 0
      ? []
      : await ctx.reader.query<IndexedCampaign>(tenantQuery(ctx, changedSql, ids))
  const gone = ids.filter((id) => !changed.some((each) => each.id === id))
  const reached = { ...state, through: last.sequence }
  return {
    statements: [
      ...(gone.length === 0 ? [] : [tenantQuery(ctx, removeSql, gone)]),
      ...storing(ctx, changed),
      reaching(ctx, reached),
    ],
    next: events.length < chunkSize ? null : reached,
  }
}

const reachedSql = `
  update campaign_search_states set through = $2, built_to = $3 where organization_id = $1`

const reaching = (ctx: Context, { through, built_to }: SearchState): Statement =>
  tenantQuery(ctx, reachedSql, through, built_to)

const removeSql = 'delete from campaign_search where organization_id = $1 and id = any($2::text[])'

const storeSql = `
  insert into campaign_search as known (organization_id, id, keys)
  select $1, made.id, made.keys::integer[] from unnest($2::text[], $3::text[]) as made (id, keys)
  on conflict (organization_id, id) do update set keys = excluded.keys
    where known.keys <> excluded.keys`

const storeWordsSql = `
  insert into campaign_words (organization_id, word, keys)
  select $1, made.word, made.keys::integer[] from unnest($2::text[], $3::text[]) as made (word, keys)
  on conflict (organization_id, word) do nothing`

function storing(ctx: Context, campaigns: readonly IndexedCampaign[]): Statement[] {
  if (campaigns.length === 0) return []
  const words = lettersIn(campaigns.map(({ name }) => name).join(' ')).sort()
  const keysOfWords = words.map((word) => `{${keysOfParts(ctx.organization.id, word).join()}}`)
  const ids = campaigns.map(({ id }) => id)
  const keys = campaigns.map((each) => `{${keysOf(ctx.organization.id, each).join()}}`)
  return [
    tenantQuery(ctx, storeSql, ids, keys),
    tenantQuery(ctx, storeWordsSql, words, keysOfWords),
  ]
}

function keysOf(organizationId: string, campaign: IndexedCampaign): number[] {
  const { id, name, external_id, profile_id } = campaign
  const all = new Set([
    ...keysOfText(organizationId, name),
    ...keysOfText(organizationId, plain(external_id ?? '')),
    ...keysOfId(organizationId, id),
    keyOfReference(organizationId, profile_id),
  ])
  return [...all].sort((one, other) => one - other)
}

const forgetting = (ctx: Context): Statement[] => [
  tenantQuery(ctx, 'delete from campaign_search where organization_id = $1'),
  tenantQuery(ctx, 'delete from campaign_words where organization_id = $1'),
  tenantQuery(ctx, 'delete from campaign_search_states where organization_id = $1'),
]
