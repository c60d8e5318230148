import { useQuery } from '@tanstack/react-query'
import { partKey } from '../../../data/keys.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { Soft } from '../../../ui/values/text.tsx'
import { Judged } from './performance.tsx'

/** Results beside the target of one campaign, as they are now. */
export default function CampaignPerformance({ campaign }: { campaign: Campaign }) {
  const { id, version } = campaign
  const { data } = useQuery({
    queryKey: partKey('campaigns', id, 'performance', { version }),
    queryFn: async () => flightdeck.campaigns.get(id, { fields: ['performance'] }),
  })
  const performance = data?.performance
  return performance ? <Judged performance={performance} currency={campaign} /> : <Soft>–</Soft>
}
