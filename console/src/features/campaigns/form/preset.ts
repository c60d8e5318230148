import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listKey } from '../../../data/keys.ts'
import { type OnlyClient, useOnlyClient } from '../../../data/only-client.ts'
import { flightdeck, type Profile } from '../../../flightdeck.ts'
import type { Form } from '../../../ui/fields/form.ts'
import type { CampaignValues } from './values.ts'

/** Begins with the profile in the address, or with the only one of the client in it. */
export function useProfilePreset(form: Form<CampaignValues>, id: string | null): void {
  const only = useOnlyClient()
  const { data: profile } = useQuery({
    queryKey: listKey('profiles', { preset: id, ...only }),
    queryFn: () => (id === null ? theOnlyOne(only) : flightdeck.profiles.get(id)),
    enabled: id !== null || only.client_id !== undefined,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another profile changes it.
  useEffect(() => {
    if (!profile || form.values.profile_id !== null) return
    const { currency } = profile
    form.set({ profile_id: profile.id, ...(currency && { currency }) })
  }, [profile])
}

async function theOnlyOne(only: OnlyClient): Promise<Profile | null> {
  const { data } = await flightdeck.profiles.list({ ...only, status: 'active', limit: 2 })
  return data.length === 1 ? (data[0] ?? null) : null
}
