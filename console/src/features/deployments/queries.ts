import { queryOptions, useQuery } from '@tanstack/react-query'
import { cache } from '../../data/cache.ts'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Profile, type Schema } from '../../flightdeck.ts'

export type Deployment = Schema<'Deployment'>
export type Connection = Schema<'ProfileConnection'>

/** Under the campaign's id: a campaign has at most one; null once it is detached. */
export const deploymentQuery = (campaignId: string) =>
  queryOptions({
    queryKey: objectKey('deployments', campaignId),
    queryFn: async (): Promise<Deployment | null> => {
      const { data } = await flightdeck.deployments.list({ campaign_id: campaignId, limit: 1 })
      return data[0] ?? null
    },
  })

/** Reads all deployments that are shown again, and the campaigns with one. */
export async function rereadDeployments(): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: ['deployments'] }),
    cache.invalidateQueries({ queryKey: ['campaigns'] }),
  ])
}

/** The description of each state: the same for everyone, until the service is another. */
const statesQuery = queryOptions({
  queryKey: ['deployment states'],
  queryFn: async () => (await flightdeck.reference.listDeploymentStates()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export const useStateText = (state: string): string =>
  useQuery(statesQuery).data?.find((each) => each.state === state)?.description ?? ''

const filters = ['q', 'state', 'profile_id', 'platform', 'client_id', 'label', 'stale']

export function deploymentList(search: Search) {
  const query = queryOf({ sort: '-state_since', ...search }, [...filters, 'drift_field', 'sort'])
  return listOptions(listKey('deployments', query), (cursor) =>
    flightdeck.deployments.list({ ...query, cursor, limit: 50 }),
  )
}

/** A connector reports without events: it is asked for now and then while it is shown. */
const connectionMs = 10_000

export const connectionQuery = (profileId: string) =>
  queryOptions({
    queryKey: partKey('deployments', profileId, 'connection'),
    queryFn: async () => flightdeck.profiles.getConnection(profileId),
    refetchInterval: connectionMs,
  })

export type NetworkCampaign = Schema<'NetworkCampaign'>
/** Rows of lists have an id. */
export type NetworkRow = NetworkCampaign & { id: string }

const rowOf = (campaign: NetworkCampaign): NetworkRow => ({
  ...campaign,
  id: campaign.network_object_id,
})

export function networkList({ id }: Pick<Profile, 'id'>, search: Search) {
  const query = queryOf(search, ['q', 'linked', 'status'])
  return listOptions(partKey('deployments', id, 'network', query), async (cursor) => {
    const page = await flightdeck.profiles.listNetworkCampaigns(id, {
      ...query,
      cursor,
      limit: 100,
    })
    return { ...page, data: page.data.map(rowOf) }
  })
}
