/** How a client's spending in a month goes beside its budget and its campaigns' plans. Pure. */

import { compare, type Fraction, fraction, plus, rounded, times } from '../../../values/fraction.ts'
import type { Measures } from '../pacing/measure/measures.ts'
import { type PacingBounds, type PacingStatus, statusOf } from '../pacing/measure/status.ts'

/** Amounts are minor units; lists have an entry for each day of the month. */
export type MonthFacts = {
  budgetMinor: number | null
  /** Null where it is not known. */
  planned: readonly number[] | null
  /** Null where nothing was reported. */
  spent: readonly (number | null)[]
  /** How long each day is in the client's zone: it stands for a plan where there is none. */
  daySeconds: readonly number[]
  /** How many days are reported in full by all running campaigns; null without any. */
  completeDays: number | null
  reportedAt: number | null
  isRunning: boolean
  now: number
  bounds: PacingBounds
  /** The status so far; null for the first. */
  before: PacingStatus | null
}

export type MonthFigures = {
  planned_minor: number | null
  spent_minor: number | null
  expected_minor: number | null
  projected_minor: number | null
  pacing_index: Fraction | null
  money_at_risk_minor: number | null
  status: PacingStatus
}

const recentDays = 7

export function monthFigures(facts: MonthFacts): MonthFigures {
  const { budgetMinor, planned, spent } = facts
  const plannedMinor = planned && sum(planned)
  const targetMinor = budgetMinor ?? plannedMinor
  const weights = plannedMinor ? (planned ?? []) : facts.daySeconds
  const spentMinor = spent.every((minor) => minor === null) ? null : sum(spent)
  const target = targetMinor === null ? null : fraction(targetMinor)
  const complete = Math.max(0, facts.completeDays ?? 0)
  const expected = complete === 0 ? null : target && portion(target, weights, complete)
  const index = indexOf(sum(spent.slice(0, complete)), expected)
  const projected = spentMinor === null ? null : projectedOf(spent, weights, complete)
  const risk = projected && target && distance(projected, target)
  const shares = { expected, index, projected, risk }
  const measures = measuresWith(shares, { targetMinor: targetMinor ?? 0, spentMinor })
  return {
    planned_minor: plannedMinor,
    spent_minor: spentMinor,
    expected_minor: nearest(expected),
    projected_minor: nearest(projected),
    pacing_index: index,
    money_at_risk_minor: nearest(risk),
    status: monthStatus(facts, { ...measures, ...completenessOf(facts, complete) }),
  }
}

type Shares = Pick<Measures, 'expected' | 'index' | 'projected'> & { risk: Fraction | null }
type MonthSums = { targetMinor: number; spentMinor: number | null }

const measuresWith = ({ risk, ...shares }: Shares, { targetMinor, spentMinor }: MonthSums) => ({
  ...shares,
  targetMinor: BigInt(targetMinor),
  spentMinor: spentMinor === null ? null : BigInt(spentMinor),
  projectedShare:
    shares.projected && targetMinor > 0 ? times(shares.projected, fraction(1, targetMinor)) : null,
  moneyAtRiskMinor: risk && rounded(risk),
  requiredDailyMinor: null,
  daysLeft: null,
})

/** Sums of a month are far below the integers that a double holds exactly. */
const sum = (minors: readonly (number | null)[]): number =>
  minors.reduce<number>((total, minor) => total + (minor ?? 0), 0)

const nearest = (amount: Fraction | null): number | null => amount && Number(rounded(amount))

/** The part of the target that falls on the first days, by their weights. */
function portion(target: Fraction, weights: readonly number[], days: number): Fraction | null {
  const whole = sum(weights)
  return whole === 0 ? null : times(target, fraction(sum(weights.slice(0, days)), whole))
}

const indexOf = (spentMinor: number, expected: Fraction | null): Fraction | null =>
  expected === null || expected.over === 0n
    ? null
    : times(fraction(spentMinor), fraction(expected.under, expected.over))

/** The spending so far, and the rate of the last complete days for the plan of those after them. */
function projectedOf(
  spent: readonly (number | null)[],
  weights: readonly number[],
  complete: number,
): Fraction | null {
  const [known, all] = [fraction(sum(spent.slice(0, complete))), fraction(sum(spent))]
  const left = sum(weights.slice(complete))
  if (left === 0) return all
  const since = Math.max(0, complete - recentDays)
  const ran = sum(weights.slice(since, complete))
  if (ran === 0) return null
  const recent = BigInt(sum(spent.slice(since, complete))) * BigInt(left)
  const projected = plus(known, fraction(recent, ran))
  // A day that is not complete may have spent more already.
  return compare(projected, all) < 0 ? all : projected
}

const distance = (one: Fraction, other: Fraction): Fraction => {
  const difference = plus(one, fraction(-other.over, other.under))
  return difference.over < 0n ? fraction(-difference.over, difference.under) : difference
}

/** The completeness of the days from the first that something is planned for. */
function completenessOf({ planned, daySeconds }: MonthFacts, complete: number) {
  const found = planned?.findIndex((minor) => minor > 0) ?? 0
  const first = Math.max(0, found)
  const completeDays = Math.max(0, complete - first)
  return { completeDays, isEarly: completeDays * 20 < daySeconds.length - first }
}

function monthStatus(facts: MonthFacts, measures: Measures): PacingStatus {
  const { isRunning, budgetMinor, reportedAt, now, bounds, before } = facts
  const isForbidden = budgetMinor === 0 && (measures.spentMinor ?? 0n) > 0n
  if (isRunning && isForbidden) return 'exhausted'
  const spend = { reportedAt }
  const more = { hasOverspend: false, isEndless: false, spend, now, bounds, before }
  return statusOf({ isRunning, measures, ...more })
}
