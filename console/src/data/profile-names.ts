import { queryOptions } from '@tanstack/react-query'
import { flightdeck, type Profile } from '../flightdeck.ts'

type ProfileName = Pick<Profile, 'id' | 'name' | 'client' | 'client_id' | 'platform'>

const mostProfiles = 1_000

const fields = ['name', 'client', 'client_id', 'platform'] as const

/** The names of all profiles by their ids: campaigns have only the ids. */
export const profileNames = queryOptions({
  queryKey: ['profiles', 'names'],
  queryFn: async (): Promise<ReadonlyMap<string, ProfileName>> => {
    const query = { fields: [...fields], sort: 'name' as const, limit: 100 }
    const profiles = await flightdeck.profiles.list(query).toArray({ limit: mostProfiles })
    return new Map(profiles.map((profile) => [profile.id, profile]))
  },
})
