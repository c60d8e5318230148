/** A campaign's spending day by day, as it is stored beside its plan. Pure. */

import type { SpentDays } from '../../../../database/tables/json-columns.ts'
import type { SpendNews } from '../../../results/resource.ts'
import { dayNumberOf } from '../plan/days.ts'
import type { DaySpend, Reported } from './spend.ts'

/** The reported days from one on, as they are stored. */
export function spentDaysOf(from: number, { byDay, earlierMinor }: Reported): SpentDays {
  const minors: (number | null)[] = []
  for (const { day, minor } of byDay) {
    while (minors.length < day - from) minors.push(null)
    minors[day - from] = minor
  }
  return { from, earlierMinor, minors }
}

/** With what a report adds; `periodFrom` is the first day that counts of those before the stored ones. */
export function withNews(stored: SpentDays, periodFrom: number, { days }: SpendNews): SpentDays {
  const { from } = stored
  let { earlierMinor } = stored
  const minors = [...stored.minors]
  for (const { date, addedMinor } of days) {
    const day = dayNumberOf(date)
    if (day >= from) {
      while (minors.length < day - from) minors.push(null)
      minors[day - from] = (minors[day - from] ?? 0) + addedMinor
    } else if (day >= periodFrom) earlierMinor = (earlierMinor ?? 0) + addedMinor
  }
  return { from, earlierMinor, minors }
}

/** The stored days with how far their sources have come. */
export function reportedBy(
  { from, earlierMinor, minors }: SpentDays,
  sources: SpendNews['sources'],
): Reported {
  const byDay: DaySpend[] = []
  for (const [at, minor] of minors.entries()) {
    if (minor !== null) byDay.push({ day: from + at, minor })
  }
  return {
    byDay,
    earlierMinor,
    completeThrough: leastOf(sources.map((each) => dayNumberOf(each.complete_through))),
    reportedAt: mostOf(sources.map((each) => Date.parse(each.reported_at))),
    sources: sources.map(({ source }) => source).sort(inBytes),
  }
}

const leastOf = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values))
const mostOf = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values))

/** As PostgreSQL sorts them. */
const inBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))
