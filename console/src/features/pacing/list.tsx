import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { choicesOf } from '../../data/choices.ts'
import { profileNames } from '../../data/profile-names.ts'
import { useScreenState } from '../../data/search.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import Views from '../views/views.tsx'
import { allColumns } from './columns.tsx'
import { pacingList } from './queries.ts'
import { Sections } from './sections.tsx'

const statuses = choicesOf('CampaignStatus').filter(({ value }) =>
  ['scheduled', 'active', 'paused'].includes(value),
)

/** Every plan to spend beside what was spent; by the money at risk where asked for. */
export default function PacingList() {
  const [search] = useScreenState()
  const { data } = useQuery(profileNames)
  const clients = [...new Set([...(data?.values() ?? [])].flatMap(({ client }) => client ?? []))]
  return (
    <ListScreen
      title="Pacing"
      about="What was spent beside what was planned, for campaigns under way."
      caption="Pacing of campaigns"
      kind="campaign"
      tabs={<Sections />}
      actions={<Views resource="pacing" whole="All of pacing" />}
      ofClient
      filters={{
        search: 'Search campaigns',
        filters: [
          { name: 'status', label: 'Pacing', choices: choicesOf('PacingStatus') },
          { name: 'campaign_status', label: 'Campaign', choices: statuses },
        ],
        texts: [{ name: 'client', label: 'Client', suggestions: clients }],
      }}
      query={useInfiniteQuery(pacingList(search))}
      columns={allColumns}
      sort="-money_at_risk"
      empty={{
        title: 'No campaign is under way',
        text: 'Launched campaigns appear here, with what your connectors report of them.',
      }}
    />
  )
}
