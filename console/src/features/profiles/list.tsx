import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { useRows } from '../../data/lists.ts'
import { one, useScreenState } from '../../data/search.ts'
import type { Profile } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { ProfileStatus } from '../../ui/values/object-status.tsx'
import { Cut, Labels, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { Cap } from './cap.tsx'
import { ProfileForm } from './form.tsx'
import { profileList } from './queries.ts'

export default function Profiles() {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  const query = useInfiniteQuery(profileList(search))
  const clients = useClients(useRows(query))
  const blocked = useBlocked('createProfile')
  const create = () => setSearch({ open: 'new' })
  const isFiltered = ['q', 'status', 'platform', 'client', 'label'].some((name) => search[name])
  return (
    <Page
      title="Profiles"
      about="The advertiser accounts that campaigns run under."
      actions={
        <Button look="primary" icon={<IconPlus aria-hidden />} blocked={blocked} onClick={create}>
          New profile
        </Button>
      }
    >
      <Filters
        search="Search profiles"
        filters={[
          { name: 'platform', label: 'Platform', choices: choicesOf('Platform') },
          { name: 'status', label: 'Status', choices: choicesOf('ProfileStatus') },
        ]}
        texts={[
          { name: 'client', label: 'Client', suggestions: clients },
          { name: 'label', label: 'Label' },
        ]}
      />
      <List
        caption="Profiles"
        query={query}
        columns={columns}
        sort={one(search.sort)}
        onSort={(sort) => setSearch({ sort })}
        empty={
          isFiltered ? (
            <NoMatch kind="profile" />
          ) : (
            <Empty
              title="No profiles yet"
              action={
                <Button blocked={blocked} onClick={create}>
                  New profile
                </Button>
              }
            >
              A profile is an account at an ad network. Every campaign runs under one.
            </Empty>
          )
        }
      />
      {search.open === 'new' && (
        <ProfileForm
          onClose={() => setSearch({ open: undefined })}
          onDone={({ id }) => void navigate({ to: '/profiles/$id', params: { id } })}
        />
      )}
    </Page>
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
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/profiles/$id" params={{ id }}>
        <Cut text={name} />
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <ProfileStatus status={status} /> },
  { id: 'client', header: 'Client', minor: true, cell: ({ client }) => client ?? <Soft>–</Soft> },
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
  { id: 'labels', header: 'Labels', minor: true, cell: ({ labels }) => <Labels labels={labels} /> },
  {
    id: 'updated',
    header: 'Changed',
    sort: 'updated_at',
    minor: true,
    cell: ({ updated_at }) => <Age time={updated_at} />,
  },
]
