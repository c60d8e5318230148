import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameOf } from '../../data/choices.ts'
import type { Campaign, Profile } from '../../flightdeck.ts'
import { Empty } from '../../ui/lists/empty.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Money } from '../../ui/values/money.tsx'
import { CampaignStatus } from '../../ui/values/object-status.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { campaignsOf } from './queries.ts'

/** The campaigns that run under it. */
export const Campaigns = ({ profile }: { profile: Profile }) => (
  <List
    caption={`Campaigns of ${profile.name}`}
    query={useInfiniteQuery(campaignsOf(profile.id))}
    columns={columns}
    empty={<Empty title="No campaigns yet">Choose this profile when you create a campaign.</Empty>}
  />
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
