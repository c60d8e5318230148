import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameOf } from '../../data/choices.ts'
import type { Profile } from '../../flightdeck.ts'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { ProfileStatus } from '../../ui/values/object-status.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { profilesOf } from './queries.ts'

/** The profiles whose traffic is meant for it. */
export const Users = ({ proxyId }: { proxyId: string }) => (
  <List
    caption="Profiles that use this proxy"
    query={useInfiniteQuery(profilesOf(proxyId))}
    columns={columns}
    empty={<Soft>No profile uses it. Choose it in the form of a profile.</Soft>}
  />
)

const columns: readonly Column<Profile>[] = [
  {
    id: 'name',
    header: 'Profile',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/profiles/$id" params={{ id }}>
        <Cut text={name} />
      </Link>
    ),
  },
  { id: 'platform', header: 'Platform', cell: ({ platform }) => nameOf(platform) },
  { id: 'status', header: 'Status', cell: ({ status }) => <ProfileStatus status={status} /> },
  {
    id: 'campaigns',
    header: 'Campaigns',
    align: 'end',
    minor: true,
    cell: ({ campaign_counts }) => campaign_counts.total,
  },
]
