import type { Search } from '../../data/search.ts'
import { Section } from '../../ui/page.tsx'
import { OverTime } from './over-time/lazy.tsx'
import { chartDays, filtersIn } from './queries.ts'

/** The results of the address over time, with what is planned of the days to come. */
export function Trend({ search }: { search: Search }) {
  const days = chartDays(search)
  if (days === null) return null
  return (
    <Section title="Over time">
      <OverTime
        days={days}
        filters={filtersIn(search)}
        empty="Nothing was reported, and nothing is planned, in these days."
      />
    </Section>
  )
}
