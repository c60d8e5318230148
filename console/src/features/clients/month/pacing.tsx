import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../../data/choices.ts'
import { now } from '../../../data/clock.ts'
import { listKey } from '../../../data/keys.ts'
import { one, useScreenState } from '../../../data/search.ts'
import { formatMonth, isMonth } from '../../../data/values/months.ts'
import { formatDate, wallOf } from '../../../data/values/time.ts'
import { type Client, flightdeck } from '../../../flightdeck.ts'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ReadFailed } from '../../../ui/notice.tsx'
import { Card, Facts, Section } from '../../../ui/page.tsx'
import { PacingBar } from '../../pacing/bar.tsx'
import { PacingStatus } from '../../pacing/status.tsx'
import { Amount } from './amount.tsx'
import { EachDay } from './each-day.tsx'
import type { ClientPacing } from './figures.ts'
import { MonthChoice } from './month-choice.tsx'

/** A month of a client, by currency. */
export default function MonthPacing({ client }: { client: Client }) {
  const [search] = useScreenState()
  const given = one(search.month)
  const asked = isMonth(given) ? { month: given } : {}
  const { data, error, refetch } = useQuery({
    queryKey: listKey('client_pacing', { client: client.id, ...asked }),
    queryFn: async () => (await flightdeck.clients.getPacing(client, asked)).data,
  })
  const month = asked.month ?? data?.[0]?.month ?? presentMonth(client)
  return (
    <>
      <MonthChoice month={month} />
      {error && !data && <ReadFailed error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {data?.length === 0 && (
        <Empty title={`Nothing is planned in ${formatMonth(month)}`}>
          It has no budget for this month, and no campaign that could spend.
        </Empty>
      )}
      {data?.map((pacing) => (
        <Section key={pacing.currency} title={pacing.currency}>
          <Figures pacing={pacing} />
          <EachDay pacing={pacing} />
        </Section>
      ))}
    </>
  )
}

/** Another month begins where the client is. */
const presentMonth = ({ time_zone }: Client): string =>
  wallOf(now(), time_zone ?? 'UTC').slice(0, 7)

function Figures({ pacing }: { pacing: ClientPacing }) {
  const { status, pacing_index, complete_through, campaigns } = pacing
  const counts = Object.entries(campaigns).map(
    ([each, count]) => `${count} ${nameOf(each).toLowerCase()}`,
  )
  return (
    <Card>
      <PacingStatus status={status} />
      <Facts
        facts={[
          ['Budget', <Amount key="budget" pacing={pacing} figure="budget_minor" />],
          ['Planned by campaigns', <Amount key="planned" pacing={pacing} figure="planned_minor" />],
          ['Spent', <Amount key="spent" pacing={pacing} figure="spent_minor" />],
          ['Expected by now', <Amount key="expected" pacing={pacing} figure="expected_minor" />],
          ['Pacing', <PacingBar key="index" index={pacing_index} />],
          ['Projected at the end', <Amount key="end" pacing={pacing} figure="projected_minor" />],
          ['At risk', <Amount key="risk" pacing={pacing} figure="money_at_risk_minor" />],
          ['Complete through', complete_through ? formatDate(complete_through) : 'No data'],
          ['Campaigns', counts.join(', ') || 'None'],
        ]}
      />
    </Card>
  )
}
