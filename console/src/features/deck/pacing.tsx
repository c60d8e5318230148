import { useQuery } from '@tanstack/react-query'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { rowOf, shortColumns } from '../pacing/columns.tsx'
import { pacingCurrencies, worstPacing } from '../pacing/queries.ts'

/** What spends beside its plan, the most money at risk first. */
export function WorstPacing() {
  const { data: currencies = [] } = useQuery(pacingCurrencies)
  return currencies.map((currency) => <Worst key={currency} currency={currency} />)
}

function Worst({ currency }: { currency: string }) {
  const { data = [] } = useQuery(worstPacing(currency))
  if (data.length === 0) return null
  return (
    <Section title={`Off plan in ${currency}`}>
      <Table
        caption={`Campaigns off their plan in ${currency}, the most money at risk first`}
        rows={data.map(rowOf)}
        columns={shortColumns}
      />
    </Section>
  )
}
