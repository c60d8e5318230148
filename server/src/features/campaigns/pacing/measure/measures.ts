/** Spending beside its plan, in exact numbers. Pure. */

import {
  compare,
  type Fraction,
  fraction,
  plus,
  rounded,
  times,
  zero,
} from '../../../../values/fraction.ts'
import { type DayRun, runsBetween, sumOver } from '../plan/days.ts'
import type { Plan } from '../plan/plan.ts'
import type { DaySpend, Spend } from './spend.ts'

/** Amounts are minor units; null where there is nothing to say. */
export type Measures = {
  targetMinor: bigint
  /** All that was reported in the period. */
  spentMinor: bigint | null
  /** Planned spending by the end of the last complete day. */
  expected: Fraction | null
  /** Spending by then, as a fraction of `expected`. */
  index: Fraction | null
  projected: Fraction | null
  /** By the end of the period, of the target. */
  projectedShare: Fraction | null
  requiredDailyMinor: bigint | null
  moneyAtRiskMinor: bigint | null
  daysLeft: number | null
  completeDays: number
  /** Whether the complete days are under 5 % of the period's. */
  isEarly: boolean
}

const recentDays = 7

export function measuresOf(plan: Plan, spend: Spend, today: number): Measures {
  const target = targetOf(plan)
  const spentMinor = spentIn(plan, spend)
  const expected = expectedOf(plan, target, spend)
  const complete = spend.completeThrough === null ? null : spentThrough(plan, spend)
  const projected = spentMinor === null ? null : projectedOf(plan, spend, spentMinor)
  const daysLeft = daysLeftOf(plan, spend, today)
  const isRated = projected !== null && target > 0n
  return {
    targetMinor: target,
    spentMinor,
    expected,
    index: complete === null || !expected || isNone(expected) ? null : shareOf(complete, expected),
    projected,
    projectedShare: isRated ? times(projected, fraction(1, target)) : null,
    requiredDailyMinor: requiredOf(target - (spentMinor ?? 0n), daysLeft),
    moneyAtRiskMinor: projected && rounded(distance(projected, fraction(target))),
    daysLeft,
    ...completenessOf(plan, spend),
  }
}

const isNone = ({ over }: Fraction) => over === 0n

const shareOf = (part: bigint, whole: Fraction): Fraction =>
  times(fraction(part), fraction(whole.under, whole.over))

const distance = (one: Fraction, other: Fraction): Fraction => {
  const difference = plus(one, fraction(-other.over, other.under))
  return difference.over < 0n ? fraction(-difference.over, difference.under) : difference
}

/** The lifetime budget, or the daily budgets of all days with open time. */
function targetOf({ lifetimeMinor, days, from, to }: Plan): bigint {
  if (lifetimeMinor !== null) return BigInt(lifetimeMinor)
  if (to === null) return 0n
  return exactSum(runsBetween(days, from, to), (run) =>
    run.openMs > 0 ? (run.budgetMinor ?? 0) : 0,
  )
}

function exactSum(runs: Iterable<DayRun>, of: (run: DayRun) => number): bigint {
  let sum = 0n
  for (const run of runs) sum += BigInt(run.count) * BigInt(of(run))
  return sum
}

/** By the end of the last complete day. Null before one, and without an end to spread a budget to. */
function expectedOf(plan: Plan, target: bigint, { completeThrough }: Spend): Fraction | null {
  const { days, from, to, lifetimeMinor } = plan
  if (completeThrough === null || completeThrough < from || to === null) return null
  const until = Math.min(completeThrough + 1, to)
  if (lifetimeMinor === null) return budgetsRun(runsBetween(days, from, until))
  const whole = runMs(plan, to) + plan.rest.openMs
  return whole === 0 ? null : times(fraction(target), fraction(runMs(plan, until), whole))
}

/** Each day's budget by the part of its open time that the campaign was not paused. */
function budgetsRun(runs: Iterable<DayRun>): Fraction {
  let sum = zero
  for (const { count, budgetMinor, openMs, runMs } of runs) {
    if (budgetMinor === null || openMs === 0) continue
    sum = plus(sum, fraction(BigInt(count) * BigInt(budgetMinor) * BigInt(runMs), openMs))
  }
  return sum
}

const runMs = ({ days, from }: Plan, until: number): number =>
  sumOver(days, [from, until], (run) => run.runMs)

const inPeriod = ({ from, to }: Plan, { day }: DaySpend): boolean =>
  day >= from && (to === null || day < to)

function spentIn(plan: Plan, { byDay, earlierMinor }: Spend): bigint | null {
  const within = byDay.filter((each) => inPeriod(plan, each))
  return within.length === 0 && earlierMinor === null ? null : total(within, earlierMinor)
}

function spentThrough(plan: Plan, { byDay, earlierMinor, completeThrough }: Spend): bigint {
  const through = completeThrough ?? Number.NEGATIVE_INFINITY
  const complete = byDay.filter((each) => inPeriod(plan, each) && each.day <= through)
  return total(complete, earlierMinor)
}

/** Sums of what a campaign can spend are far below the integers that a double holds exactly. */
const total = (byDay: readonly DaySpend[], earlierMinor: number | null = null): bigint =>
  BigInt(byDay.reduce((sum, { minor }) => sum + minor, earlierMinor ?? 0))

/**
 * The spending so far, and the rate of the last complete days for the open time that no report
 * covers.
 */
function projectedOf(plan: Plan, spend: Spend, spentMinor: bigint): Fraction | null {
  const { days, to, rest } = plan
  const { byDay, completeThrough } = spend
  if (completeThrough === null || to === null) return null
  const since = Math.max(completeThrough + 1 - recentDays, days.first)
  const recent = byDay.filter(({ day }) => day >= since && day <= completeThrough)
  const ranMs = sumOver(days, [since, completeThrough + 1], (run) => run.runMs)
  const newest = byDay.at(-1)?.day ?? completeThrough
  const isBeyond = newest > completeThrough
  const covered = Math.max(newest, completeThrough) + 1
  const aheadMs = sumOver(days, [Math.max(covered, plan.from), to], (run) => run.openMs)
  const leftMs = aheadMs + rest.openMs + (isBeyond && newest < to ? spend.restOfNewestMs : 0)
  if (leftMs === 0) return fraction(spentMinor)
  if (ranMs === 0) return null
  return plus(fraction(spentMinor), fraction(total(recent) * BigInt(leftMs), ranMs))
}

/** Days with open time, from today on or from the first that is not reported in full. */
function daysLeftOf({ days, to, rest }: Plan, { completeThrough }: Spend, today: number) {
  if (to === null) return null
  const from = Math.max(today, (completeThrough ?? today - 1) + 1)
  return sumOver(days, [from, to], ({ openMs }) => Number(openMs > 0)) + rest.days
}

/** Rounded down, so that spending it each day stays within the target. */
function requiredOf(leftMinor: bigint, daysLeft: number | null): bigint | null {
  if (daysLeft === null || daysLeft === 0) return null
  return leftMinor <= 0n ? 0n : leftMinor / BigInt(daysLeft)
}

function completenessOf({ from, to }: Plan, { completeThrough }: Spend) {
  const until = Math.min((completeThrough ?? from - 1) + 1, to ?? Number.POSITIVE_INFINITY)
  const completeDays = Math.max(0, until - from)
  return { completeDays, isEarly: to !== null && completeDays * 20 < to - from }
}

/** Whether a share is above a percentage. */
export const isAbove = (share: Fraction, percent: number): boolean =>
  compare(share, fraction(percent, 100)) > 0

export const isBelow = (share: Fraction, percent: number): boolean =>
  compare(share, fraction(percent, 100)) < 0
