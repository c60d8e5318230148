import { useQueries, useQuery } from '@tanstack/react-query'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { rowOf, shortColumns } from '../pacing/columns.tsx'
import { pacingCurrencies, worstPacing } from '../pacing/queries.ts'

/** What spends beside its plan: in each currency, the most money at risk first. */
export function WorstPacing() {
  const { data: currencies = [] } = useQuery(pacingCurrencies)
  const rows = useQueries({
    queries: currencies.map(worstPacing),
    combine: (queries) => queries.flatMap(({ data = [] }) => data.map(rowOf)),
  })
  if (rows.length === 0) return null
  return (
    <Section title="Off plan">
      <Table
        caption="Campaigns off their plan: in each currency, the most money at risk first"
        rows={rows}
        columns={shortColumns}
      />
    </Section>
  )
}
