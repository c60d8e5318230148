import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Profile } from '../../flightdeck.ts'
import { lazyPart } from '../../ui/lazily.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs, useTab } from '../../ui/tabs.tsx'
import { ProfileStatus } from '../../ui/values/object-status.tsx'
import { Actions, Dialogs } from './actions.tsx'
import { Campaigns } from './campaigns.tsx'
import { Details } from './details.tsx'
import { ProfileHistory } from './history.tsx'
import { profileQuery } from './queries.ts'

export default function ProfileScreen() {
  const { id } = useParams({ from: '/profiles/$id' })
  return (
    <ObjectScreen query={useQuery(profileQuery(id))}>
      {(profile) => <ProfilePage profile={profile} />}
    </ObjectScreen>
  )
}

const Connection = lazyPart(() => import('../deployments/connection/section.tsx'))

type Section = { id: string; name: string; content: (props: { profile: Profile }) => ReactNode }

const sections: readonly Section[] = [
  { id: 'overview', name: 'Overview', content: Details },
  { id: 'campaigns', name: 'Campaigns', content: Campaigns },
  { id: 'connection', name: 'Connection', content: Connection },
  { id: 'history', name: 'History', content: ProfileHistory },
]

function ProfilePage({ profile }: { profile: Profile }) {
  const Content = useTab(sections).content
  return (
    <Page
      title={profile.name}
      beside={<ProfileStatus status={profile.status} />}
      within={{ to: '/profiles', name: 'Profiles' }}
      actions={<Actions profile={profile} />}
    >
      <Tabs label="Sections of the profile" tabs={sections} />
      <Suspense fallback={null}>
        <Content profile={profile} />
      </Suspense>
      <Dialogs profile={profile} />
    </Page>
  )
}
