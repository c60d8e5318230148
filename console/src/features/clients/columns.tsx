import { Link } from '@tanstack/react-router'
import { SparkBars } from '../../charts/spark-bars.tsx'
import type { Client } from '../../flightdeck.ts'
import { changedColumn, nameColumn } from '../../ui/lists/columns.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { ClientStatus } from '../../ui/values/object-status.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { PacingStatus } from '../pacing/status.tsx'
import { Amount, type Figure } from './month/amount.tsx'
import { type DaysOfClients, sparkIn, width } from './month/days.ts'
import { campaignCount, type Months } from './month/figures.ts'
import { Lines } from './month/lines.tsx'

/** Clients, each with its present month. */
export const columnsWith = (months: Months, days: DaysOfClients): readonly Column<Client>[] => [
  nameColumn('/clients/$id'),
  {
    id: 'pacing',
    header: 'This month',
    cell: (client) => <Standing client={client} months={months} />,
  },
  amountColumn({ id: 'budget', header: 'Budget', minor: true }, 'budget_minor', months),
  amountColumn({ id: 'spent', header: 'Spent' }, 'spent_minor', months),
  amountColumn({ id: 'projected', header: 'Projected', minor: true }, 'projected_minor', months),
  {
    id: 'days',
    header: 'Days',
    minor: true,
    cell: ({ id }) => (
      <Lines id={id} months={months}>
        {(pacing) => {
          const spark = sparkIn(days, pacing)
          return spark === null ? <Soft>–</Soft> : <SparkBars spark={spark} width={width} />
        }}
      </Lines>
    ),
  },
  {
    id: 'campaigns',
    header: 'Campaigns',
    align: 'end',
    minor: true,
    cell: (client) => <Campaigns client={client} months={months} />,
  },
  changedColumn,
]

type Head = Pick<Column<Client>, 'id' | 'header' | 'minor'>

const amountColumn = (head: Head, figure: Figure, months: Months): Column<Client> => ({
  ...head,
  align: 'end',
  cell: ({ id }) => (
    <Lines id={id} months={months} align="end">
      {(pacing) => <Amount pacing={pacing} figure={figure} />}
    </Lines>
  ),
})

type ClientCellProps = { client: Client; months: Months }

/** An archived client says so instead. */
const Standing = ({ client, months }: ClientCellProps) =>
  client.status === 'archived' ? (
    <ClientStatus status={client.status} />
  ) : (
    <Lines id={client.id} months={months}>
      {({ status }) => <PacingStatus status={status} />}
    </Lines>
  )

function Campaigns({ client: { id, name }, months }: ClientCellProps) {
  const count = campaignCount(months.of(id) ?? [])
  if (count === 0) return <Soft>–</Soft>
  return (
    <Link
      to="/campaigns"
      search={{ client_id: id }}
      aria-label={`${count} ${count === 1 ? 'campaign' : 'campaigns'} of ${name}`}
    >
      {count}
    </Link>
  )
}
