import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Client } from '../../flightdeck.ts'
import { lazyPart } from '../../ui/lazily.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs, useTab } from '../../ui/tabs.tsx'
import { ClientStatus } from '../../ui/values/object-status.tsx'
import { Actions, Dialogs } from './actions.tsx'
import { ClientHistory } from './history.tsx'
import { Overview } from './overview.tsx'
import { Campaigns, Profiles } from './parts.tsx'
import { clientQuery } from './queries.ts'

const MonthPacing = lazyPart(() => import('./month/pacing.tsx'))
const Reports = lazyPart(() => import('./reports.tsx'))
const Plan = lazyPart(() => import('./plan/plan.tsx'))

export default function ClientScreen() {
  const { id } = useParams({ from: '/clients/$id' })
  return (
    <ObjectScreen query={useQuery(clientQuery(id))}>
      {(client) => <ClientPage client={client} />}
    </ObjectScreen>
  )
}

type ClientSection = { id: string; name: string; content: (props: { client: Client }) => ReactNode }

const sections: readonly ClientSection[] = [
  { id: 'overview', name: 'Overview', content: Overview },
  { id: 'campaigns', name: 'Campaigns', content: Campaigns },
  { id: 'profiles', name: 'Profiles', content: Profiles },
  { id: 'plan', name: 'Plan', content: Plan },
  { id: 'pacing', name: 'Pacing', content: MonthPacing },
  { id: 'reports', name: 'Reports', content: Reports },
  { id: 'history', name: 'History', content: ClientHistory },
]

function ClientPage({ client }: { client: Client }) {
  const Content = useTab(sections).content
  return (
    <Page
      title={client.name}
      beside={<ClientStatus status={client.status} />}
      within={{ to: '/clients', name: 'Clients' }}
      actions={<Actions client={client} />}
    >
      <Tabs label="Sections of the client" tabs={sections} />
      {/* A boundary of its own: the screen stays while it loads. */}
      <Suspense fallback={<Skeleton rows={6} />}>
        <Content client={client} />
      </Suspense>
      <Dialogs client={client} />
    </Page>
  )
}
