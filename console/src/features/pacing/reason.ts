import { formatPercent } from '../../data/values/numbers.ts'
import { dayMs, formatDay } from '../../data/values/time.ts'
import type { Pacing } from './queries.ts'

/** Figures that explain a status. */
export type Judged = Pick<
  Pacing,
  | 'status'
  | 'pacing_index'
  | 'overspend'
  | 'spent_minor'
  | 'projected_minor'
  | 'target_minor'
  | 'sources'
>

/** The reason for the status, if more than the index decides it; else null. */
export function reasonOf(judged: Judged): string | null {
  const { status, overspend, spent_minor, sources } = judged
  if (spent_minor === null && sources.length > 0) return 'Reported days are before its period'
  if (status === 'low_confidence') return 'Under 3 complete days, or 5 % of the period'
  if (status === 'over' && overspend.length > 0) return `${countOf(overspend)} beyond the allowance`
  const share = status === 'critical' ? decidingShare(judged) : null
  return share === null ? null : `Projected at ${formatPercent(share)} of the target`
}

/** The same at length. */
export function sentenceOf(pacing: Pacing, zone: string): string | null {
  const { status, overspend, period } = pacing
  const early = earlySentence(pacing, zone)
  if (early !== null) return early
  if (status === 'over' && overspend.length > 0) {
    const lastMoment = Date.parse(period.end ?? '') - 1
    const until = Number.isNaN(lastMoment)
      ? ''
      : ` through ${formatDay(new Date(lastMoment).toISOString(), zone)}, the end of the period`
    return `It is over because more was spent in ${countOf(overspend)} than the platform allows itself. That counts${until}, also where the sum is on plan.`
  }
  const share = status === 'critical' ? decidingShare(pacing) : null
  if (share === null) return null
  return `It is critical because at the rate of the last days ${formatPercent(share)} of the target will be spent by the end of the period.`
}

/**
 * A sentence for figures that are too few: so on the first days, when results of days before are
 * there.
 */
function earlySentence(
  { status, spent_minor, sources, period }: Pacing,
  zone: string,
): string | null {
  const began = formatDay(period.start, zone)
  if (spent_minor === null && sources.length > 0) {
    return `No data, because all that was reported is of days before its period, which began on ${began}. Those days are in the results, and not counted here.`
  }
  if (spent_minor === null && status !== 'not_running') {
    return `No data, because nothing was reported of its period yet, which began on ${began}. No data is not the same as nothing spent.`
  }
  if (status !== 'low_confidence') return null
  return 'Low confidence, because under 3 days, or under 5 % of the period, are complete: the figures may still move a lot.'
}

/** The projection decides where it is further off than what was spent so far. */
function decidingShare({ pacing_index, projected_minor, target_minor }: Judged): number | null {
  if (projected_minor === null || target_minor <= 0) return null
  const share = projected_minor / target_minor
  return share > Math.max(1, pacing_index ?? 0) ? share : null
}

type Windows = Pacing['overspend']

/** `3 days and 1 week`. */
function countOf(windows: Windows): string {
  const counts = new Map<string, number>()
  for (const window of windows) counts.set(unitOf(window), (counts.get(unitOf(window)) ?? 0) + 1)
  const parts = [...counts].map(([unit, count]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
  return new Intl.ListFormat('en').format(parts)
}

function unitOf({ from, to }: Windows[number]): 'day' | 'week' | 'month' {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
  if (days === 1) return 'day'
  return days === 7 ? 'week' : 'month'
}
