/** The status of a campaign's pacing. Pure. */

import { isAbove, isBelow, type Measures } from './measures.ts'
import type { Spend } from './spend.ts'

export const pacingStatuses = [
  'not_running',
  'no_data',
  'exhausted',
  'stale',
  'low_confidence',
  'critical',
  'over',
  'under',
  'on_track',
] as const
export type PacingStatus = (typeof pacingStatuses)[number]

/** In percent of what was expected, and of the target. */
export type PacingBounds = { under_percent: number; over_percent: number; critical_percent: number }

/** After so long without a report, a running campaign is stale. */
export const staleAfterMs = 24 * 60 * 60 * 1000

/** A status is left only this many points beyond its bound. */
const margin = 2
const minCompleteDays = 3

export type StatusInput = {
  isRunning: boolean
  measures: Measures
  hasOverspend: boolean
  isEndless: boolean
  spend: Pick<Spend, 'reportedAt'>
  now: number
  bounds: PacingBounds
  /** The status so far; null for the first. */
  before: PacingStatus | null
}

/** The first that holds. */
export function statusOf(input: StatusInput): PacingStatus {
  const { isRunning, measures, isEndless, spend, now } = input
  const { spentMinor, targetMinor } = measures
  if (!isRunning) return 'not_running'
  if (spend.reportedAt === null) return 'no_data'
  if (spentMinor !== null && targetMinor > 0n && spentMinor >= targetMinor) return 'exhausted'
  if (now - spend.reportedAt >= staleAfterMs) return 'stale'
  if (isEndless) return 'on_track'
  return isLowConfidence(measures) ? 'low_confidence' : rateOf(input)
}

export const isLowConfidence = ({ completeDays, isEarly }: Measures): boolean =>
  completeDays < minCompleteDays || isEarly

function rateOf({ measures, hasOverspend, bounds, before }: StatusInput): PacingStatus {
  const { index, projectedShare } = measures
  const { under_percent, over_percent, critical_percent } = bounds
  const wasOver = before === 'over' || before === 'critical'
  const critical = critical_percent - (before === 'critical' ? margin : 0)
  const over = over_percent - (wasOver ? margin : 0)
  const under = under_percent + (before === 'under' ? margin : 0)
  if (index && isAbove(index, critical)) return 'critical'
  if (projectedShare && isAbove(projectedShare, critical)) return 'critical'
  if ((index && isAbove(index, over)) || hasOverspend) return 'over'
  return index && isBelow(index, under) ? 'under' : 'on_track'
}
