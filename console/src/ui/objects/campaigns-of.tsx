import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { nameOf } from '../../data/choices.ts'
import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { type Campaign, flightdeck } from '../../flightdeck.ts'
import { List } from '../lists/list.tsx'
import type { Column } from '../lists/table.tsx'
import { Money } from '../values/money.tsx'
import { CampaignStatus } from '../values/object-status.tsx'
import { Cut } from '../values/text.tsx'
import { Time } from '../values/time.tsx'

type Of = { client_id: string } | { profile_id: string }

type CampaignsOfProps = { of: Of; name: string; empty: ReactNode }

/** The campaigns of a client or a profile, on its own page. */
export const CampaignsOf = ({ of, name, empty }: CampaignsOfProps) => (
  <List
    caption={`Campaigns of ${name}`}
    query={useInfiniteQuery(campaignsOf(of))}
    columns={columns}
    empty={empty}
  />
)

const campaignsOf = (of: Of) =>
  listOptions(listKey('campaigns', of), (cursor) =>
    flightdeck.campaigns.list({ ...of, cursor, limit: 50 }),
  )

const columns: readonly Column<Campaign>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/campaigns/$id" params={{ id }} search={{}}>
        <Cut text={name} />
      </Link>
    ),
  },
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
