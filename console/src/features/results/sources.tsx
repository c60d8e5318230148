import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../data/values/numbers.ts'
import { formatDate } from '../../data/values/time.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { useMay } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Section } from '../../ui/page.tsx'
import { Age } from '../../ui/values/time.tsx'
import { sourcesQuery } from './queries.ts'

type Source = Schema<'ResultSourceState'>
type SourceRow = Source & { id: string }

/** Sources by how far behind they are: one that fell silent stands first. */
export function Sources() {
  const { data = [] } = useQuery(sourcesQuery)
  const mayDelete = useMay('deleteResultSource')
  const [chosen, setChosen] = useState<Source | null>(null)
  if (data.length === 0) return null
  const rows = data.map((each) => ({ ...each, id: each.source }))
  return (
    <Section title="Sources">
      <Table
        caption="Sources of results"
        rows={rows.sort((one, other) => other.days_behind - one.days_behind)}
        columns={mayDelete ? [...columns, deletion(setChosen)] : columns}
      />
      {chosen && <Deletion source={chosen} onClose={() => setChosen(null)} />}
    </Section>
  )
}

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

const columns: readonly Column<SourceRow>[] = [
  { id: 'source', header: 'Source', grow: true, cell: ({ source }) => source },
  {
    id: 'campaigns',
    header: 'Campaigns',
    align: 'end',
    minor: true,
    cell: ({ campaign_count }) => formatCount(campaign_count),
  },
  {
    id: 'last',
    header: 'Last report',
    minor: true,
    cell: ({ last_reported_at }) => <Age time={last_reported_at} />,
  },
  {
    id: 'through',
    header: 'Complete through',
    minor: true,
    cell: ({ complete_through }) => formatDate(complete_through),
  },
  {
    id: 'behind',
    header: 'Behind',
    align: 'end',
    cell: ({ days_behind }) => (days_behind === 0 ? 'Up to date' : days(days_behind)),
  },
]

const deletion = (choose: (source: Source) => void): Column<SourceRow> => ({
  id: 'delete',
  header: 'Delete',
  align: 'end',
  cell: (row) => (
    <Button small aria-label={`Delete ${row.source}…`} onClick={() => choose(row)}>
      Delete…
    </Button>
  ),
})

function Deletion({ source, onClose }: { source: Source; onClose: () => void }) {
  const client = useQueryClient()
  const { source: name, campaign_count: count } = source
  const campaigns = count === 1 ? '1 campaign' : `${formatCount(count)} campaigns`
  return (
    <Confirm
      title={`Delete what ${name} has reported?`}
      text={`All its results of ${campaigns} go, for good. Sums, pacing and spend caps follow at once; what a cap has paused can then be resumed. The source may report again.`}
      verb="Delete source"
      danger
      run={(write) => flightdeck.results.deleteSource(name, {}, write)}
      onClose={onClose}
      onDone={() => {
        say(`${name} is deleted`)
        onClose()
        void client.invalidateQueries()
      }}
    />
  )
}
