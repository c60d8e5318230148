import { expect, test } from 'vitest'
import { daysOf, scheduledExtra } from './days.ts'
import type { Pacing } from './queries.ts'

const dates = ['2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30']
const pacing = {
  days: dates.map((date) => ({
    date,
    budget_minor: 8_000,
    expected_minor: 8_000,
    allowed_minor: 16_000,
  })),
} as unknown as Pacing

const at = (time: string, dailyMinor: number) => ({ at: Date.parse(time), dailyMinor })
const steps = [at('2026-11-27T00:00:00Z', 12_000), at('2026-11-29T00:00:00Z', 8_000)]
const scheduled = { steps, dailyMinor: 8_000, zone: 'UTC' }

test('a raise of two days adds what it raises, twice', () => {
  expect(scheduledExtra(pacing, scheduled)).toBe(8_000)
  expect(scheduledExtra(pacing, { ...scheduled, steps: [] })).toBe(0)
  expect(scheduledExtra(pacing, { ...scheduled, dailyMinor: null })).toBe(0)
})

test('sums by day are those of the plan until the change, and higher after it', () => {
  const days = daysOf(pacing, [], scheduled)
  expect(days.map(({ expectedSum }) => expectedSum)).toEqual([8e3, 16e3, 24e3, 32e3, 40e3])
  expect(days.map(({ scheduledSum }) => scheduledSum)).toEqual([8e3, 20e3, 32e3, 40e3, 48e3])
})
