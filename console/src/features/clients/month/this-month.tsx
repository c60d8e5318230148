import type { Client } from '../../../flightdeck.ts'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { Table } from '../../../ui/lists/table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { monthColumns, rowOf } from './columns.tsx'
import { useMonths } from './figures.ts'

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
    <Table caption={`This month of ${client.name}`} rows={rows.map(rowOf)} columns={monthColumns} />
  )
}
