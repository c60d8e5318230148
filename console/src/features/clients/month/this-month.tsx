import type { Client } from '../../../flightdeck.ts'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PacingBar } from '../../pacing/bar.tsx'
import { PacingStatus } from '../../pacing/status.tsx'
import { Amount } from './amount.tsx'
import { type ClientPacing, useMonths } from './figures.ts'

/** The present month of a client, a line for each currency. */
export function ThisMonth({ client }: { client: Client }) {
  const months = useMonths([client.id])
  const rows = months.of(client.id)
  if (rows === undefined && months.isFailed)
    return <Notice tone="bad" title="Its month could not be read." />
  if (rows === undefined) return <Skeleton rows={2} />
  if (rows.length === 0) {
    return (
      <Empty title="Nothing is planned this month">
        It has no budget for this month, and no campaign that could spend.
      </Empty>
    )
  }
  return (
    <Table
      caption={`This month of ${client.name}`}
      rows={rows.map((row) => ({ ...row, id: row.currency }))}
      columns={monthColumns}
    />
  )
}

export type MonthRow = ClientPacing & { id: string }

/** Figures of a client’s month, as each list of them shows them. */
export const monthColumns: readonly Column<MonthRow>[] = [
  {
    id: 'status',
    header: 'Pacing',
    grow: true,
    cell: ({ status }) => <PacingStatus status={status} />,
  },
  {
    id: 'index',
    header: 'Index',
    minor: true,
    cell: ({ pacing_index }) => <PacingBar index={pacing_index} />,
  },
  {
    id: 'budget',
    header: 'Budget',
    align: 'end',
    cell: (pacing) => <Amount pacing={pacing} figure="budget_minor" />,
  },
  {
    id: 'planned',
    header: 'Planned',
    align: 'end',
    minor: true,
    cell: (pacing) => <Amount pacing={pacing} figure="planned_minor" />,
  },
  {
    id: 'spent',
    header: 'Spent',
    align: 'end',
    cell: (pacing) => <Amount pacing={pacing} figure="spent_minor" />,
  },
  {
    id: 'expected',
    header: 'Expected',
    align: 'end',
    minor: true,
    cell: (pacing) => <Amount pacing={pacing} figure="expected_minor" />,
  },
  {
    id: 'projected',
    header: 'Projected',
    align: 'end',
    minor: true,
    cell: (pacing) => <Amount pacing={pacing} figure="projected_minor" />,
  },
  {
    id: 'risk',
    header: 'At risk',
    align: 'end',
    minor: true,
    cell: (pacing) => <Amount pacing={pacing} figure="money_at_risk_minor" />,
  },
]
