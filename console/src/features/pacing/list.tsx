import { useInfiniteQuery } from '@tanstack/react-query'
import { choicesOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Page } from '../../ui/page.tsx'
import { allColumns } from './columns.tsx'
import { pacingList } from './queries.ts'

const statuses = choicesOf('CampaignStatus').filter(({ value }) =>
  ['scheduled', 'active', 'paused'].includes(value),
)

/** Every plan to spend beside what was spent; by the money at risk where asked for. */
export default function PacingList() {
  const [search, setSearch] = useScreenState()
  const query = useInfiniteQuery(pacingList(search))
  const isFiltered = Boolean(search.status || search.campaign_status)
  return (
    <Page title="Pacing" about="What was spent beside what was planned, for campaigns under way.">
      <Filters
        filters={[
          { name: 'status', label: 'Pacing', choices: choicesOf('PacingStatus') },
          { name: 'campaign_status', label: 'Campaign', choices: statuses },
        ]}
      />
      <List
        caption="Pacing of campaigns"
        query={query}
        columns={allColumns}
        sort={one(search.sort) ?? '-money_at_risk'}
        onSort={(sort) => setSearch({ sort })}
        empty={
          isFiltered ? (
            <Empty title="No campaign matches">Change or clear the filters.</Empty>
          ) : (
            <Empty title="No campaign is under way">
              Launched campaigns appear here, with what your connectors report of them.
            </Empty>
          )
        }
      />
    </Page>
  )
}
