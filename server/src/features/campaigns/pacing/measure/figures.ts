/** How a campaign's spending goes beside its plan, as the API shows it. Pure. */

import { remembered } from '../../../../concurrency/remembered.ts'
import type { PacingFigures } from '../../../../database/tables/json-columns.ts'
import { type Fraction, rounded, toDecimal } from '../../../../values/fraction.ts'
import { allowanceOf, type Platform } from '../plan/allowances.ts'
import { dateOf } from '../plan/days.ts'
import { dayNumberAt, type Plan } from '../plan/plan.ts'
import { type Measures, measuresOf } from './measures.ts'
import { overspendOf } from './overspend.ts'
import type { Spend } from './spend.ts'
import { isLowConfidence, type PacingBounds, type PacingStatus, statusOf } from './status.ts'

export type FiguresInput = {
  plan: Plan
  spend: Spend
  isRunning: boolean
  timeZone: string
  platform: Platform
  bounds: PacingBounds
  /** The status so far. */
  before: PacingStatus | null
  now: number
}

export function figuresOf(input: FiguresInput): PacingFigures {
  const { plan, spend, timeZone, now, platform } = input
  const measures = measuresOf(plan, spend, dayNumberAt(timeZone, now))
  const overspend = overspendOf(plan, spend.byDay, allowanceOf(platform))
  const isEndless = plan.period.end === null
  return {
    period: { start: instantText(plan.period.start), end: instantText(plan.period.end) },
    target_minor: Number(measures.targetMinor),
    ...amountsOf(measures),
    pacing_index: measures.index && toDecimal(measures.index, indexPlaces),
    complete_through: spend.completeThrough === null ? null : dateOf(spend.completeThrough),
    last_reported_at: instantText(spend.reportedAt),
    days_left: measures.daysLeft,
    status: statusOf({ ...input, measures, isEndless, hasOverspend: overspend.length > 0 }),
    confidence: isLowConfidence(measures) ? 'low' : 'normal',
    overspend,
    sources: [...spend.sources],
  }
}

const indexPlaces = 4

/** Many campaigns have the same period, and were reported at once. */
const texts = remembered<string>(1_000)

function instantText(time: number): string
function instantText(time: number | null): string | null
function instantText(time: number | null): string | null {
  return time === null ? null : texts(time, () => new Date(time).toISOString())
}

const amountsOf = (measures: Measures) => ({
  spent_minor: numberOf(measures.spentMinor),
  expected_minor: nearest(measures.expected),
  projected_minor: nearest(measures.projected),
  required_daily_minor: numberOf(measures.requiredDailyMinor),
  money_at_risk_minor: numberOf(measures.moneyAtRiskMinor),
})

const numberOf = (minor: bigint | null): number | null => (minor === null ? null : Number(minor))

const nearest = (amount: Fraction | null): number | null => amount && Number(rounded(amount))
