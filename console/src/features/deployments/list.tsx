import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { useRows } from '../../data/lists.ts'
import { profileNames } from '../../data/profile-names.ts'
import { useScreenState } from '../../data/search.ts'
import { lazyDialog } from '../../ui/lazily.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { DeploymentStatus } from '../../ui/values/object-status.tsx'
import { Cut, Mono, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import Views from '../views/views.tsx'
import { BulkBar } from './bulk/bar.tsx'
import { type ChosenIds, chosenColumn } from './bulk/chosen.tsx'
import { type Deployment, deploymentList } from './queries.ts'
import { fieldChoices, fieldName } from './words.ts'

const BulkDialog = lazyDialog(() => import('./bulk/dialog.tsx'))

/** Every campaign that a network runs, or should run. */
export default function Deployments() {
  const [search] = useScreenState()
  const query = useInfiniteQuery(deploymentList(search))
  const rows = useRows(query)
  const { data: profiles } = useQuery(profileNames)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [action, setAction] = useState<string | null>(null)
  const chosen: ChosenIds = { ids, set: setIds }
  const shown = rows.filter(({ id }) => ids.has(id))
  const profileChoices = [...(profiles?.values() ?? [])].map(({ id, name }) => ({
    value: id,
    name,
  }))
  return (
    <ListScreen
      title="Deployments"
      about="What ad networks run of your campaigns, beside what they should run."
      kind="deployment"
      actions={<Views resource="deployments" whole="All deployments" />}
      ofClient
      sort="-state_since"
      filters={{
        search: 'Search by campaign',
        filters: [
          { name: 'state', label: 'State', choices: choicesOf('DeploymentState') },
          { name: 'profile_id', label: 'Profile', choices: profileChoices },
          { name: 'platform', label: 'Network', choices: choicesOf('Platform') },
          { name: 'drift_field', label: 'Differs in', choices: fieldChoices },
          { name: 'stale', label: 'Connector', choices: connectors },
        ],
        texts: [{ name: 'label', label: 'Label' }],
      }}
      query={query}
      columns={[chosenColumn(chosen, rows), ...columns, profileColumn(profiles)]}
      empty={{
        title: 'No deployments yet',
        text: 'Deploy a campaign in its tab Deployment, or take over what an account runs already in the tab Connection of its profile.',
      }}
    >
      <BulkBar chosen={shown} rows={rows} onSelect={setIds} onAct={setAction} />
      <Suspense fallback={null}>
        {action !== null && (
          <BulkDialog action={action} deployments={shown} onClose={() => setAction(null)} />
        )}
      </Suspense>
    </ListScreen>
  )
}

const connectors = [
  { value: 'false', name: 'Holds the account' },
  { value: 'true', name: 'Gone for ten minutes' },
]

const columns: readonly Column<Deployment>[] = [
  {
    id: 'campaign',
    header: 'Campaign',
    grow: true,
    cell: ({ campaign_id: id, desired }) => (
      <Link to="/campaigns/$id" params={{ id }} search={{ tab: 'deployment' }}>
        <Cut text={desired.name} />
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, stale }) => <DeploymentStatus state={state} stale={stale} />,
  },
  {
    id: 'why',
    header: 'Why',
    wrap: true,
    cell: ({ drift, error }) => {
      if (error) return nameOf(error.code)
      if (drift.length === 0) return <Soft>–</Soft>
      return drift.map(({ field }) => fieldName(field)).join(', ')
    },
  },
  {
    id: 'since',
    header: 'Since',
    sort: 'state_since',
    minor: true,
    cell: ({ state_since }) => <Age time={state_since} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    minor: true,
    cell: ({ last_seen_at }) => <Age time={last_seen_at} />,
  },
  { id: 'network', header: 'Network', minor: true, cell: ({ platform }) => nameOf(platform) },
  {
    id: 'object',
    header: 'Id there',
    minor: true,
    cell: ({ network_object_id: id }) => (id ? <Mono>{id}</Mono> : <Soft>–</Soft>),
  },
]

const profileColumn = (
  names: ReadonlyMap<string, { name: string }> | undefined,
): Column<Deployment> => ({
  id: 'profile',
  header: 'Profile',
  minor: true,
  cell: ({ profile_id: id }) => (
    <Link to="/profiles/$id" params={{ id }} search={{ tab: 'connection' }}>
      {names?.get(id)?.name ?? id}
    </Link>
  ),
})
