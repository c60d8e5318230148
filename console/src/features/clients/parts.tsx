import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { nameOf } from '../../data/choices.ts'
import type { Campaign, Client, Profile } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { nameColumn } from '../../ui/lists/columns.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Money } from '../../ui/values/money.tsx'
import { CampaignStatus, ProfileStatus } from '../../ui/values/object-status.tsx'
import { Time } from '../../ui/values/time.tsx'
import { campaignsOf, profilesOf } from './queries.ts'

type ClientProps = { client: Client }

export const Campaigns = ({ client }: ClientProps) => (
  <List
    caption={`Campaigns of ${client.name}`}
    query={useInfiniteQuery(campaignsOf(client))}
    columns={campaignColumns}
    empty={<Empty title="No campaigns yet">They run under the profiles of the client.</Empty>}
  />
)

const campaignColumns: readonly Column<Campaign>[] = [
  plainName('/campaigns/$id'),
  { id: 'status', header: 'Status', cell: ({ status }) => <CampaignStatus status={status} /> },
  { id: 'objective', header: 'Objective', minor: true, cell: ({ objective }) => nameOf(objective) },
  {
    id: 'daily',
    header: 'Daily budget',
    align: 'end',
    cell: ({ daily_budget_minor, currency, currency_exponent }) => (
      <Money minor={daily_budget_minor} currency={currency} exponent={currency_exponent} />
    ),
  },
  {
    id: 'end',
    header: 'End',
    minor: true,
    cell: ({ end_at, time_zone }) => <Time time={end_at} zone={time_zone} none="Never" />,
  },
]

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

const profileColumns: readonly Column<Profile>[] = [
  plainName('/profiles/$id'),
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

/** The name, in a list that is not sorted by it. */
function plainName(to: '/campaigns/$id' | '/profiles/$id') {
  const { sort: _, ...column } = nameColumn(to)
  return column
}
