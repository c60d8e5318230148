import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { nameOf } from '../../data/choices.ts'
import type { Client, Profile } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { nameColumn } from '../../ui/lists/columns.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { CampaignsOf } from '../../ui/objects/campaigns-of.tsx'
import { ProfileStatus } from '../../ui/values/object-status.tsx'
import { profilesOf } from './queries.ts'

type ClientProps = { client: Client }

export const Campaigns = ({ client: { id, name } }: ClientProps) => (
  <CampaignsOf
    of={{ client_id: id }}
    name={name}
    empty={<Empty title="No campaigns yet">They run under the profiles of the client.</Empty>}
  />
)

export const Profiles = ({ client }: ClientProps) => (
  <>
    <NewProfile client={client} />
    <ProfileList client={client} />
  </>
)

function NewProfile({ client }: ClientProps) {
  const navigate = useNavigate()
  const search = { open: 'new', of: client.name }
  return (
    <div>
      <Button
        small
        icon={<IconPlus aria-hidden />}
        blocked={useBlocked('createProfile')}
        onClick={() => void navigate({ to: '/profiles', search })}
      >
        New profile
      </Button>
    </div>
  )
}

const ProfileList = ({ client }: ClientProps) => (
  <List
    caption={`Profiles of ${client.name}`}
    query={useInfiniteQuery(profilesOf(client))}
    columns={profileColumns}
    empty={
      <Empty title="No profiles yet">Name this client in a profile, and it belongs here.</Empty>
    }
  />
)

/** The name, in a list that is not sorted by it. */
const { sort: _, ...plainName } = nameColumn('/profiles/$id')

const profileColumns: readonly Column<Profile>[] = [
  plainName,
  { id: 'status', header: 'Status', cell: ({ status }) => <ProfileStatus status={status} /> },
  { id: 'platform', header: 'Platform', cell: ({ platform }) => nameOf(platform) },
  {
    id: 'campaigns',
    header: 'Campaigns',
    align: 'end',
    minor: true,
    cell: ({ campaign_counts }) => campaign_counts.total,
  },
]
