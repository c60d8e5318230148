import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { one, useScreenState } from '../../../data/search.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { Notice, ReadFailed } from '../../../ui/notice.tsx'
import { connectionQuery, deploymentQuery } from '../queries.ts'
import { ActionBar } from './action-bar.tsx'
import { Compared } from './compared.tsx'
import { DeploymentDialog } from './dialogs.tsx'
import { InNetwork, Terms } from './facts.tsx'

const DeployForm = lazyDialog(() => import('./form.tsx'))

type SectionProps = { campaign: Campaign }

/** A campaign as the network should run it, beside what the network does run. */
export default function DeploymentSection({ campaign }: SectionProps) {
  return campaign.deployment ? <Deployed campaign={campaign} /> : <NotDeployed {...{ campaign }} />
}

function NotDeployed({ campaign }: SectionProps) {
  const [{ open }, setSearch] = useScreenState()
  const blocked = useBlocked('putDeployment')
  const close = () => setSearch({ open: undefined })
  return (
    <>
      <Empty
        title="Not deployed"
        action={
          <Button look="primary" blocked={blocked} onClick={() => setSearch({ open: 'deploy' })}>
            Deploy
          </Button>
        }
      >
        A connector can run this campaign in the ad network of its profile, and report what the
        network does.
      </Empty>
      <Unconnected campaign={campaign} />
      <Suspense fallback={null}>
        {one(open) === 'deploy' && <DeployForm campaign={campaign} onClose={close} />}
      </Suspense>
    </>
  )
}

function Deployed({ campaign }: SectionProps) {
  const { data, error, refetch } = useQuery(deploymentQuery(campaign.id))
  if (data === null) return <NotDeployed campaign={campaign} />
  if (!data) {
    return error ? <ReadFailed error={error} retry={refetch} /> : <Skeleton rows={6} />
  }
  return (
    <>
      <ActionBar deployment={data} />
      <Unconnected campaign={campaign} />
      <InNetwork deployment={data} />
      <Compared deployment={data} exponent={campaign.currency_exponent} />
      <Terms deployment={data} />
      <Suspense fallback={null}>
        <DeploymentDialog campaign={campaign} deployment={data} />
      </Suspense>
    </>
  )
}

/** The reason why nothing happens, where that is the account. */
function Unconnected({ campaign: { profile_id: id } }: SectionProps) {
  const { data } = useQuery(connectionQuery(id))
  if (!data || data.state === 'connected') return null
  return (
    <Notice tone={data.state === 'blocked' ? 'bad' : 'warn'} title={titles[data.state] ?? ''}>
      {data.error && <p>{data.error.message}</p>}
      <div>
        <LinkButton small to="/profiles/$id" params={{ id }} search={{ tab: 'connection' }}>
          Show its connection
        </LinkButton>
      </div>
    </Notice>
  )
}

const titles: Readonly<Record<string, string>> = {
  none: 'No connector holds the account of its profile yet: nothing is sent.',
  stale: 'The connector of its account is gone: this is as it was last seen.',
  blocked: 'The account of its profile is blocked: nothing is sent.',
}
