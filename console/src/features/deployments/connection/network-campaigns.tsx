import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { choicesOf, nameOf } from '../../../data/choices.ts'
import { useRows } from '../../../data/lists.ts'
import { useScreenState } from '../../../data/search.ts'
import { useExponent } from '../../../data/values/currencies.ts'
import type { Profile } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Filters, isFilteredBy } from '../../../ui/lists/filters.tsx'
import { List } from '../../../ui/lists/list.tsx'
import { NoMatch } from '../../../ui/lists/no-match.tsx'
import type { Column } from '../../../ui/lists/table.tsx'
import { Section } from '../../../ui/page.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Cut, Soft } from '../../../ui/values/text.tsx'
import { Age } from '../../../ui/values/time.tsx'
import { type ChosenIds, chosenColumn, firstOf } from '../bulk/chosen.tsx'
import { type NetworkRow, networkList } from '../queries.ts'
import styles from './connection.module.css'

const TakeOver = lazyDialog(() => import('./take-over.tsx'))

const filters = {
  search: 'Search the account',
  filters: [
    {
      name: 'linked',
      label: 'Here',
      choices: [
        { value: 'false', name: 'Not yet' },
        { value: 'true', name: 'Yes' },
      ],
    },
    { name: 'status', label: 'Status there', choices: choicesOf('NetworkCampaignStatus') },
  ],
}

/** Everything that the account holds, ours or not, as its connector last saw it. */
export function NetworkCampaigns({ profile }: { profile: Profile }) {
  const [search] = useScreenState()
  const query = useInfiniteQuery(networkList(profile, search))
  const rows = useRows(query)
  const exponent = useExponent(profile.currency)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isOpen, setOpen] = useState(false)
  const free = rows.filter(isFree)
  const chosen = free.filter(({ id }) => ids.has(id))
  return (
    <Section
      title="Campaigns in the network"
      actions={
        <Choosing
          free={free}
          count={chosen.length}
          onSelect={setIds}
          onTakeOver={() => setOpen(true)}
        />
      }
    >
      <Filters {...filters} />
      <List
        caption={`Campaigns of ${profile.name} in its network`}
        query={query}
        rows={rows}
        columns={[freeColumn({ ids, set: setIds }, free), ...columnsWith(exponent)]}
        empty={isFilteredBy(filters, search) ? <NoMatch kind="campaign" /> : <NothingSeen />}
      />
      <Suspense fallback={null}>
        {isOpen && (
          <TakeOver
            profile={profile}
            campaigns={chosen}
            onClose={() => {
              setOpen(false)
              setIds(new Set())
            }}
          />
        )}
      </Suspense>
    </Section>
  )
}

const NothingSeen = () => (
  <Empty title="Nothing seen yet">
    The connector reads the account at its start and once a minute.
  </Empty>
)

type ChoosingProps = {
  free: readonly NetworkRow[]
  count: number
  onSelect: (ids: ReadonlySet<string>) => void
  onTakeOver: () => void
}

function Choosing({ free, count, onSelect, onTakeOver }: ChoosingProps) {
  const blocked = useBlocked('takeOverCampaigns')
  const none = count === 0 ? 'Choose campaigns that are not here yet.' : null
  return (
    <div className={styles.actions}>
      {count < free.length && (
        <Button small look="quiet" onClick={() => onSelect(firstOf(free, mostAtOnce))}>
          Choose all shown
        </Button>
      )}
      <Button small look="primary" blocked={blocked ?? none} onClick={onTakeOver}>
        {count > 0 ? `Take over ${count}` : 'Take over'}
      </Button>
    </div>
  )
}

/** As many as one request takes over. */
const mostAtOnce = 1_000

const isFree = ({ campaign_id, gone }: NetworkRow) => campaign_id === null && !gone

function freeColumn(chosen: ChosenIds, free: readonly NetworkRow[]): Column<NetworkRow> {
  const column = chosenColumn<NetworkRow>(chosen, free)
  return { ...column, cell: (row) => isFree(row) && column.cell(row) }
}

const tones = { active: 'good', paused: 'warn', scheduled: 'info', ended: 'neutral' } as const

const columnsWith = (exponent: number): readonly Column<NetworkRow>[] => [
  { id: 'name', header: 'Name', grow: true, cell: ({ name }) => <Cut text={name} /> },
  {
    id: 'status',
    header: 'Status there',
    cell: ({ status, gone }) =>
      gone ? (
        <Status tone="bad">Gone</Status>
      ) : (
        <Status tone={tones[status as keyof typeof tones] ?? 'neutral'}>{nameOf(status)}</Status>
      ),
  },
  {
    id: 'daily',
    header: 'Daily budget',
    align: 'end',
    minor: true,
    cell: ({ daily_budget_minor: minor, currency }) => (
      <Money minor={minor ?? null} currency={currency ?? ''} exponent={exponent} />
    ),
  },
  {
    id: 'lifetime',
    header: 'Lifetime budget',
    align: 'end',
    minor: true,
    cell: ({ lifetime_budget_minor: minor, currency }) => (
      <Money minor={minor ?? null} currency={currency ?? ''} exponent={exponent} />
    ),
  },
  {
    id: 'here',
    header: 'Here',
    cell: ({ campaign_id: id }) =>
      id ? (
        <Link to="/campaigns/$id" params={{ id }} search={{ tab: 'deployment' }}>
          Its campaign
        </Link>
      ) : (
        <Soft>Not yet</Soft>
      ),
  },
  {
    id: 'seen',
    header: 'Last seen',
    minor: true,
    cell: ({ last_seen_at }) => <Age time={last_seen_at} />,
  },
]
