import type { Column } from '../../../ui/lists/table.tsx'
import { PacingBar } from '../../pacing/bar.tsx'
import { PacingStatus } from '../../pacing/status.tsx'
import { Amount } from './amount.tsx'
import type { ClientPacing } from './figures.ts'

export type MonthRow = ClientPacing & { id: string }

/** Rows of tables have an id; a month has one for each client and currency. */
export const rowOf = (pacing: ClientPacing): MonthRow => ({
  ...pacing,
  id: `${pacing.client_id} ${pacing.currency}`,
})

/** Figures of a client’s month, as each list of them shows them. */
export const monthColumns: readonly Column<MonthRow>[] = [
  {
    id: 'status',
    header: 'Pacing',
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
