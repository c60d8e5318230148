import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../../data/choices.ts'
import { partKey } from '../../../data/keys.ts'
import type { Tone } from '../../../data/words.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { PacingBar } from '../../pacing/bar.tsx'
import { metricName, metricText, type Performance } from './words.ts'

const tones: Readonly<Record<string, Tone>> = { on_target: 'good', off_target: 'bad' }

type OfCampaign = { campaign: Campaign }

/** Results beside the target of one campaign, as they are now. */
export function CampaignPerformance({ campaign }: OfCampaign) {
  const { id, version } = campaign
  const { data } = useQuery({
    queryKey: partKey('campaigns', id, 'performance', { version }),
    queryFn: async () => flightdeck.campaigns.get(id, { fields: ['performance'] }),
  })
  const performance = data?.performance
  return performance ? <Judged performance={performance} campaign={campaign} /> : <Soft>–</Soft>
}

type JudgedProps = OfCampaign & { performance: Performance }

const Judged = ({ performance, campaign }: JudgedProps) => (
  <>
    <Status tone={tones[performance.status] ?? 'neutral'}>{nameOf(performance.status)}</Status>{' '}
    <PacingBar index={performance.index} />{' '}
    {performance.value !== null && (
      <Soft>
        {metricName(performance.metric)}{' '}
        {metricText({ metric: performance.metric, value: performance.value }, campaign)}
      </Soft>
    )}
  </>
)
