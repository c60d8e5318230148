import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import type { OnlyClient } from '../../data/only-client.ts'
import { flightdeck } from '../../flightdeck.ts'

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('campaigns', id),
    queryFn: async () => flightdeck.campaigns.get(id),
  })

/** The actions of each status: the same for everyone, until the service is another. */
export const campaignStates = queryOptions({
  queryKey: ['campaign states'],
  queryFn: async () => flightdeck.reference.getCampaignStates(),
  staleTime: Number.POSITIVE_INFINITY,
})

export { profileNames } from '../../data/profile-names.ts'

export const objectivesQuery = queryOptions({
  queryKey: ['objectives'],
  queryFn: async () => (await flightdeck.reference.listObjectives()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Campaigns that wait for a decision, the longest first. */
export function inReview(only: OnlyClient) {
  const waiting = { ...only, status: 'pending_review', sort: 'updated_at' } as const
  return listOptions(listKey('campaigns', waiting), (cursor) =>
    flightdeck.campaigns.list({ ...waiting, cursor, limit: 50 }),
  )
}
