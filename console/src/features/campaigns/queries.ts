import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { flightdeck, type Profile } from '../../flightdeck.ts'

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

type ProfileName = Pick<Profile, 'id' | 'name' | 'client' | 'platform'>

const mostProfiles = 1_000

/** The names of all profiles by their ids: campaigns have only the ids. */
export const profileNames = queryOptions({
  queryKey: ['profiles', 'names'],
  queryFn: async (): Promise<ReadonlyMap<string, ProfileName>> => {
    const fields = ['name' as const, 'client' as const, 'platform' as const]
    const query = { fields, sort: 'name' as const, limit: 100 }
    const profiles = await flightdeck.profiles.list(query).toArray({ limit: mostProfiles })
    return new Map(profiles.map((profile) => [profile.id, profile]))
  },
})

export const objectivesQuery = queryOptions({
  queryKey: ['objectives'],
  queryFn: async () => (await flightdeck.reference.listObjectives()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

const waiting = { status: 'pending_review', sort: 'updated_at' } as const

/** Campaigns that wait for a decision, the longest first. */
export const inReview = listOptions(listKey('campaigns', waiting), (cursor) =>
  flightdeck.campaigns.list({ ...waiting, cursor, limit: 50 }),
)
