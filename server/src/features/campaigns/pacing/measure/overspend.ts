/** Days, weeks and months in which more was spent than the platform allows itself. Pure. */

import type { PacingFigures } from '../../../../database/tables/json-columns.ts'
import type { Allowance } from '../plan/allowances.ts'
import { dateOf, runsBetween, sumOver } from '../plan/days.ts'
import { type Plan, weekdayOf } from '../plan/plan.ts'
import type { DaySpend } from './spend.ts'

type Overspend = PacingFigures['overspend'][number]

type Window = { from: number; to: number; allowedMinor: number | null }

/** How many are listed, the latest. */
const maxListed = 60

/**
 * Days, weeks and months of the period above their allowance. A week or month that is not over is
 * checked with what it has so far.
 */
export function overspendOf(
  plan: Plan,
  byDay: readonly DaySpend[],
  allowance: Allowance,
): Overspend[] {
  const within = byDay.filter(({ day }) => day >= plan.from && (plan.to === null || day < plan.to))
  const windows = [
    ...daysBeyond(plan, within).map((day) => dayWindow(plan, day, allowance)),
    ...(allowance.hasWeek ? weeksOf(within).map((week) => weekWindow(plan, week)) : []),
    ...(allowance.hasMonth ? monthWindow(plan) : []),
  ]
  return windows
    .map((window) => ({ ...window, spentMinor: spentIn(byDay, window) }))
    .filter(({ spentMinor, allowedMinor }) => allowedMinor !== null && spentMinor > allowedMinor)
    .sort((one, other) => one.from - other.from || one.to - other.to)
    .slice(-maxListed)
    .map(({ from, to, spentMinor, allowedMinor }) => ({
      from: dateOf(from),
      to: dateOf(to),
      spent_minor: spentMinor,
      allowed_minor: allowedMinor ?? 0,
    }))
}

/** The days beyond their highest budget: no allowance is less. */
function daysBeyond({ days }: Plan, byDay: readonly DaySpend[]): number[] {
  const beyond: number[] = []
  let [at, end] = [-1, days.first]
  for (const { day, minor } of byDay) {
    for (; end <= day && at < days.runs.length; at += 1) end += days.runs[at + 1]?.count ?? 1
    const highest = days.runs[at]?.highestMinor ?? null
    if (day >= days.first && highest !== null && minor > highest) beyond.push(day)
  }
  return beyond
}

function dayWindow({ days }: Plan, day: number, { dayPercent }: Allowance): Window {
  const [run] = runsBetween(days, day, day + 1)
  const highest = run?.highestMinor ?? null
  const allowedMinor = highest === null ? null : portion(highest, dayPercent, 100)
  return { from: day, to: day + 1, allowedMinor }
}

/** The Sundays that weeks with spending begin on. */
const weeksOf = (byDay: readonly DaySpend[]): number[] => [
  ...new Set(byDay.map(({ day }) => day - weekdayOf(day))),
]

const weekWindow = (plan: Plan, sunday: number): Window => ({
  from: sunday,
  to: sunday + 7,
  allowedMinor: budgetsOf(plan, sunday, sunday + 7),
})

/** 30.4 average daily budgets; of a flight that has a part of the month, that part of them. */
function monthWindow(plan: Plan): Window[] {
  const { from, to, lifetimeMinor } = plan
  if (lifetimeMinor !== null || to === null) return []
  const budgets = budgetsOf(plan, from, to)
  const allowedMinor = budgets === null ? null : portion(budgets, 304, 10 * daysInMonth(from))
  return [{ from, to, allowedMinor }]
}

/** Null if a day was without a daily budget. */
function budgetsOf({ days }: Plan, from: number, to: number): number | null {
  for (const run of runsBetween(days, from, to)) if (run.highestMinor === null) return null
  return sumOver(days, [from, to], ({ highestMinor }) => highestMinor ?? 0)
}

function daysInMonth(day: number): number {
  const [year = 0, month = 0] = dateOf(day).split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** In whole minor units, rounded down: an allowance is a bound. */
const portion = (minor: number, part: number, whole: number): number =>
  Number((BigInt(minor) * BigInt(part)) / BigInt(whole))

const spentIn = (byDay: readonly DaySpend[], { from, to }: Window): number =>
  byDay.reduce((sum, { day, minor }) => (day >= from && day < to ? sum + minor : sum), 0)
