import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { oneOf, rowsOf } from '../../../kernel/rows.ts'
import { anyOf, type Filter } from '../../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../../query/list.ts'
import { inName } from '../../../query/search/places.ts'
import { wordsIn } from '../../../query/search/search.ts'
import { byName } from '../../../query/sorting.ts'
import { type NetworkCampaign, networkStatuses } from './schema.ts'

const isLinked = sql<boolean>`(organization_id, profile_id, id) in (
  select organization_id, profile_id, network_object_id from deployments
  where network_object_id is not null and state <> 'removed')`

const linkedFilter: Filter = {
  schema: Type.Boolean({ description: 'Whether it belongs to a campaign.' }),
  read: ([value]) => ({ condition: value === 'true' ? isLinked : sql<boolean>`not ${isLinked}` }),
}

const ofProfile: Filter = {
  schema: Type.String(),
  read: ([id]) => ({ condition: sql<boolean>`profile_id = ${id}` }),
}

export const networkCampaignList: ListShape<'network_campaigns'> = {
  table: 'network_campaigns',
  filters: {
    q: wordsIn('the name', { places: [inName] }),
    linked: linkedFilter,
    status: anyOf('status', { allowed: networkStatuses }),
  },
  sorts: [byName],
  sortFor: () => 'name',
  wide: ['facts'],
}

/** The account is part of the filters, which ties a cursor to one. */
const listOfAccount: ListShape<'network_campaigns'> = {
  ...networkCampaignList,
  filters: { ...networkCampaignList.filters, profile_id: ofProfile },
}

/** Campaigns that the account of a profile holds. */
export async function listNetworkCampaigns(
  ctx: Context,
  profileId: string,
  query: Query,
): Promise<Page<NetworkCampaign>> {
  await oneOf(ctx, 'profiles', profileId)
  return joinedPageOf(ctx, {
    list: listOfAccount,
    query: { ...query, profile_id: profileId },
    presentAll: async (rows) => {
      const owners = await ownersOf(ctx, profileId, rows)
      return rows.map((row) => toNetworkCampaign(row, owners.get(row.id) ?? null))
    },
  })
}

/** Campaigns that objects of an account belong to, by the objects' ids. */
async function ownersOf(
  ctx: Context,
  profileId: string,
  rows: readonly Pick<Row<'network_campaigns'>, 'id'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.map(({ id }) => id)
  const found = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`profile_id = ${profileId} and network_object_id = any(${ids})
      and state <> 'removed'`)
    .select(['network_object_id', 'campaign_id'])
    .execute()
  return new Map(
    found.map(({ network_object_id, campaign_id }) => [network_object_id ?? '', campaign_id]),
  )
}

const toNetworkCampaign = (
  { id, name, status, facts, gone, last_seen_at }: Row<'network_campaigns'>,
  campaign_id: string | null,
): NetworkCampaign => {
  const { run: _, name: __, ...seen } = facts
  return { network_object_id: id, ...seen, name, status, campaign_id, gone, last_seen_at }
}
