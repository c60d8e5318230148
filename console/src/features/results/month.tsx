import { OverTime } from './over-time/lazy.tsx'
import { chartDays } from './queries.ts'

type MonthProps = { filters?: Record<string, string | string[]> }

/** Results of this month over time, with the plan of the days to come: of all, or of what filters name. */
export function MonthOverTime({ filters = {} }: MonthProps) {
  const days = chartDays({})
  if (days === null) return null
  return (
    <OverTime days={days} filters={filters} empty="Nothing was reported, and nothing is planned." />
  )
}
