import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Campaign } from '../../../flightdeck.ts'
import { type Operation, rolesOf } from '../../../rights.ts'
import { useSession } from '../../../session.tsx'
import { lazyPart } from '../../../ui/lazily.tsx'
import { ObjectScreen } from '../../../ui/objects/object-screen.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs, useTab } from '../../../ui/tabs.tsx'
import { CampaignStatus } from '../../../ui/values/object-status.tsx'
import type { ScheduledBudget } from '../../change-sets/tray/budget-steps.ts'
import { useScheduledBudget } from '../../change-sets/tray/waiting.ts'
import { WaitingChanges } from '../../change-sets/tray/waiting-notice.tsx'
import { ActionButtons } from '../acting/actions.tsx'
import { CampaignDialogs } from '../acting/dialogs.tsx'
import { campaignQuery } from '../queries.ts'
import { CampaignHistory } from './history.tsx'
import { Overview } from './overview.tsx'

export default function CampaignScreen() {
  const { id } = useParams({ from: '/campaigns/$id' })
  return (
    <ObjectScreen query={useQuery(campaignQuery(id))}>
      {(campaign) => <CampaignPage campaign={campaign} />}
    </ObjectScreen>
  )
}

const Audit = lazyPart(async () => ({ default: (await import('./audit.tsx')).Audit }))
const Events = lazyPart(async () => ({ default: (await import('./events.tsx')).Events }))
const Pacing = lazyPart(() => import('../../pacing/section.tsx'))
const Deployment = lazyPart(() => import('../../deployments/campaign/section.tsx'))
const Schedule = lazyPart(() => import('./schedule.tsx'))

type Section = {
  id: string
  name: string
  needs: Operation
  content: (props: { campaign: Campaign; scheduled: ScheduledBudget }) => ReactNode
}

/** Each has an address of its own; those that a role may not read are left out. */
const sections: readonly Section[] = [
  { id: 'overview', name: 'Overview', needs: 'getCampaign', content: Overview },
  { id: 'pacing', name: 'Pacing', needs: 'getCampaignPacing', content: Pacing },
  { id: 'schedule', name: 'Schedule', needs: 'getCampaignSchedule', content: Schedule },
  { id: 'deployment', name: 'Deployment', needs: 'getDeployment', content: Deployment },
  { id: 'history', name: 'History', needs: 'getCampaignHistory', content: CampaignHistory },
  { id: 'audit', name: 'Audit', needs: 'listAuditLogs', content: Audit },
  { id: 'events', name: 'Events', needs: 'listEvents', content: Events },
]

/** Sections that show what is to come of it, and so what is scheduled. */
const plans = ['overview', 'pacing', 'schedule']

function CampaignPage({ campaign }: { campaign: Campaign }) {
  const { role } = useSession().user
  const tabs = sections.filter(({ needs }) => rolesOf(needs).includes(role))
  const { id, content: Content } = useTab(tabs)
  const scheduled = useScheduledBudget(campaign)
  return (
    <Page
      title={campaign.name}
      beside={<CampaignStatus status={campaign.status} />}
      within={{ to: '/campaigns', name: 'Campaigns' }}
      actions={<ActionButtons campaign={campaign} />}
    >
      <Tabs label="Sections of the campaign" tabs={tabs} />
      {plans.includes(id) && <WaitingChanges campaign={campaign} />}
      <Suspense>
        <Content campaign={campaign} scheduled={scheduled} />
      </Suspense>
      <Suspense>
        <CampaignDialogs campaign={campaign} />
      </Suspense>
    </Page>
  )
}
