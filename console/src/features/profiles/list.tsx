import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { useRows } from '../../data/lists.ts'
import { one, useScreenState } from '../../data/search.ts'
import type { Profile } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { changedColumn, labelsColumn, nameColumn } from '../../ui/lists/columns.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { ProfileStatus } from '../../ui/values/object-status.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Cap } from './cap.tsx'
import { ProfileForm } from './form.tsx'
import { profileList } from './queries.ts'

export default function Profiles() {
  const [search] = useScreenState()
  const query = useInfiniteQuery(profileList(search))
  const clients = useClients(useRows(query))
  return (
    <ListScreen
      title="Profiles"
      about="The advertiser accounts that campaigns run under."
      kind="profile"
      create={{
        ...kinds.profiles.create,
        to: '/profiles/$id',
        form: (form) => <ProfileForm {...form} client={one(search.of)} />,
      }}
      ofClient
      filters={{
        search: 'Search profiles',
        filters: [
          { name: 'platform', label: 'Platform', choices: choicesOf('Platform') },
          { name: 'status', label: 'Status', choices: choicesOf('ProfileStatus') },
        ],
        texts: [
          { name: 'client', label: 'Client', suggestions: clients },
          { name: 'label', label: 'Label' },
        ],
      }}
      query={query}
      columns={columns}
      empty={{
        title: 'No profiles yet',
        text: 'A profile is an account at an ad network. Every campaign runs under one.',
      }}
    />
  )
}

/** The clients seen so far: they stay suggestions when one is chosen. */
function useClients(profiles: readonly Profile[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([])
  useEffect(() => {
    const found = profiles.flatMap(({ client }) => client ?? [])
    setSeen((before) => {
      const all = new Set([...before, ...found])
      return all.size === before.length ? before : [...all].sort()
    })
  }, [profiles])
  return seen
}

const columns: readonly Column<Profile>[] = [
  nameColumn('/profiles/$id'),
  { id: 'status', header: 'Status', cell: ({ status }) => <ProfileStatus status={status} /> },
  {
    id: 'client',
    header: 'Client',
    minor: true,
    cell: ({ client, client_id }) =>
      client_id ? (
        <ObjectLink type="client" id={client_id}>
          {client}
        </ObjectLink>
      ) : (
        <Soft>–</Soft>
      ),
  },
  { id: 'platform', header: 'Platform', cell: ({ platform }) => nameOf(platform) },
  {
    id: 'campaigns',
    header: 'Campaigns',
    align: 'end',
    minor: true,
    cell: ({ campaign_counts }) => campaign_counts.total,
  },
  {
    id: 'cap',
    header: 'Daily cap',
    align: 'end',
    minor: true,
    cell: ({ daily_budget_cap_minor, currency }) => (
      <Cap minor={daily_budget_cap_minor} currency={currency} />
    ),
  },
  labelsColumn,
  changedColumn,
]
