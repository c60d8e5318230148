import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { choicesOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import { countryChoices, countryName } from '../../data/values/countries.ts'
import type { ProxyServer } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { Cut, Labels, Mono, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { addressOf } from './address.ts'
import { ProxyForm } from './form.tsx'
import { proxyList } from './queries.ts'
import { ProxyStatus } from './status.tsx'

export default function Proxies() {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  const query = useInfiniteQuery(proxyList(search))
  const blocked = useBlocked('createProxy')
  const create = () => setSearch({ open: 'new' })
  const isFiltered = ['q', 'status', 'protocol', 'country', 'label'].some((name) => search[name])
  return (
    <Page
      title="Proxies"
      about="Kept and checked for your own tools; nothing is sent through them."
      actions={
        <Button look="primary" icon={<IconPlus aria-hidden />} blocked={blocked} onClick={create}>
          New proxy
        </Button>
      }
    >
      <Filters
        search="Search proxies"
        filters={[
          { name: 'status', label: 'Status', choices: choicesOf('ProxyStatus') },
          { name: 'protocol', label: 'Protocol', choices: choicesOf('ProxyProtocol') },
          { name: 'country', label: 'Country', choices: countryChoices() },
        ]}
        texts={[{ name: 'label', label: 'Label' }]}
      />
      <List
        caption="Proxies"
        query={query}
        columns={columns}
        sort={one(search.sort)}
        onSort={(sort) => setSearch({ sort })}
        empty={
          isFiltered ? (
            <NoMatch kind="proxy" />
          ) : (
            <Empty
              title="No proxies yet"
              action={
                <Button blocked={blocked} onClick={create}>
                  New proxy
                </Button>
              }
            >
              A proxy is an address that your own tools use for the traffic of a profile. It is
              checked every few minutes, and campaigns of its profiles wait while it fails.
            </Empty>
          )
        }
      />
      {search.open === 'new' && (
        <ProxyForm
          onClose={() => setSearch({ open: undefined })}
          onDone={({ id }) => void navigate({ to: '/proxies/$id', params: { id } })}
        />
      )}
    </Page>
  )
}

const columns: readonly Column<ProxyServer>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/proxies/$id" params={{ id }}>
        <Cut text={name} />
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <ProxyStatus status={status} /> },
  {
    id: 'address',
    header: 'Address',
    minor: true,
    cell: (proxy) => <Mono>{addressOf(proxy)}</Mono>,
  },
  {
    id: 'country',
    header: 'Country',
    minor: true,
    cell: ({ country }) => (country ? countryName(country) : <Soft>–</Soft>),
  },
  {
    id: 'latency',
    header: 'Latency',
    align: 'end',
    minor: true,
    cell: ({ last_check }) =>
      last_check?.latency_ms == null ? <Soft>–</Soft> : `${last_check.latency_ms} ms`,
  },
  {
    id: 'checked',
    header: 'Checked',
    cell: ({ last_check }) => <Age time={last_check?.at ?? null} />,
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
