import { useQuery } from '@tanstack/react-query'
import type { Profile } from '../../../flightdeck.ts'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ReadFailed } from '../../../ui/notice.tsx'
import { connectionQuery } from '../queries.ts'
import { Account } from './account.tsx'
import { NetworkCampaigns } from './network-campaigns.tsx'
import { Steps } from './steps.tsx'

/** The account as its connector knows it, or how to connect it. */
export default function ConnectionSection({ profile }: { profile: Profile }) {
  const { data, error, refetch } = useQuery(connectionQuery(profile.id))
  if (!data) {
    return error ? <ReadFailed error={error} retry={refetch} /> : <Skeleton rows={6} />
  }
  const isConnected = data.state === 'connected' || data.state === 'blocked'
  return (
    <>
      {data.state !== 'none' && <Account profile={profile} connection={data} />}
      {!isConnected && <Steps profile={profile} isAgain={data.state === 'stale'} />}
      {data.state !== 'none' && <NetworkCampaigns profile={profile} />}
    </>
  )
}
