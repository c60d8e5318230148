import { expect, test } from 'vitest'
import { allowanceOf } from './allowances.ts'
import { plannedDays } from './daily.ts'
import { dayNumberOf } from './days.ts'
import type { Plan } from './plan.ts'

const hourMs = 3_600_000
const from = dayNumberOf('2026-03-01')
const open = { budgetMinor: 1_000, highestMinor: 1_000, openMs: 24 * hourMs, runMs: 24 * hourMs }

const planOf = (over: Partial<Plan>): Plan => ({
  period: { start: 0, end: null },
  from,
  to: from + 3,
  lifetimeMinor: null,
  days: { first: from, runs: [{ ...open, count: 3 }] },
  rest: { days: 0, openMs: 0 },
  ...over,
})

test('each day has its budget, by the part of it that was not paused, and the allowance', () => {
  const paused = { ...open, runMs: 6 * hourMs, count: 1 }
  const days = { first: from, runs: [{ ...open, count: 2 }, paused] }
  expect(plannedDays(planOf({ days }), allowanceOf('google_ads'))).toEqual([
    { date: '2026-03-01', budget_minor: 1_000, expected_minor: 1_000, allowed_minor: 2_000 },
    { date: '2026-03-02', budget_minor: 1_000, expected_minor: 1_000, allowed_minor: 2_000 },
    { date: '2026-03-03', budget_minor: 1_000, expected_minor: 250, allowed_minor: 2_000 },
  ])
})

test('the days of a lifetime budget add up to it, whatever they are rounded to', () => {
  const without = { ...open, budgetMinor: null, highestMinor: null, count: 3 }
  const days = { first: from, runs: [without] }
  const planned = plannedDays(planOf({ lifetimeMinor: 1_000, days }), allowanceOf('meta'))
  expect(planned.map(({ expected_minor }) => expected_minor)).toEqual([333, 334, 333])
  expect(planned[0]).toMatchObject({ budget_minor: null, allowed_minor: null })
})

test('days before the period are no part of it', () => {
  const days = { first: from - 7, runs: [{ ...open, count: 10 }] }
  const planned = plannedDays(planOf({ days }), allowanceOf('other'))
  expect(planned.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
})
