import { useInfiniteQuery } from '@tanstack/react-query'
import { choicesOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import { countryChoices, countryName } from '../../data/values/countries.ts'
import type { ProxyServer } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { changedColumn, labelsColumn, nameColumn } from '../../ui/lists/columns.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Mono, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { addressOf } from './address.ts'
import { ProxyForm } from './form.tsx'
import { proxyList } from './queries.ts'
import { ProxyStatus } from './status.tsx'

export default function Proxies() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Proxies"
      about="Kept and checked for your own tools; nothing is sent through them."
      kind="proxy"
      create={{
        ...kinds.proxies.create,
        to: '/proxies/$id',
        form: (form) => <ProxyForm {...form} />,
      }}
      filters={{
        search: 'Search proxies',
        filters: [
          { name: 'status', label: 'Status', choices: choicesOf('ProxyStatus') },
          { name: 'protocol', label: 'Protocol', choices: choicesOf('ProxyProtocol') },
          { name: 'country', label: 'Country', choices: countryChoices() },
        ],
        texts: [{ name: 'label', label: 'Label' }],
      }}
      query={useInfiniteQuery(proxyList(search))}
      columns={columns}
      empty={{
        title: 'No proxies yet',
        text: 'A proxy is an address that your own tools use for the traffic of a profile. It is checked every few minutes, and campaigns of its profiles wait while it fails.',
      }}
    />
  )
}

const columns: readonly Column<ProxyServer>[] = [
  nameColumn('/proxies/$id'),
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
  labelsColumn,
  changedColumn,
]
