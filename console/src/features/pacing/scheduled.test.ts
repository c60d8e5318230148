import { expect, test } from 'vitest'
import { scheduledShare } from './scheduled.ts'

const at = (time: string) => Date.parse(time)
const raise = [
  { at: at('2026-11-27T00:00:00Z'), dailyMinor: 12_000 },
  { at: at('2026-11-30T00:00:00Z'), dailyMinor: 8_000 },
]
const utc = { steps: raise, dailyMinor: 8_000, zone: 'UTC' }

test('a raise for three days counts on these days only', () => {
  expect(scheduledShare('2026-11-26', utc)).toBe(1)
  for (const date of ['2026-11-27', '2026-11-28', '2026-11-29'])
    expect(scheduledShare(date, utc)).toBe(1.5)
  expect(scheduledShare('2026-11-30', utc)).toBe(1)
  expect(scheduledShare('2026-12-24', utc)).toBe(1)
})

test('a step within a day counts by the hour, on the wall clock of the zone', () => {
  const steps = [{ at: at('2026-11-27T18:00:00Z'), dailyMinor: 0 }]
  expect(scheduledShare('2026-11-27', { ...utc, steps })).toBe(0.75)
  const tokyo = { ...utc, steps, zone: 'Asia/Tokyo' }
  expect(scheduledShare('2026-11-27', tokyo)).toBe(1)
  expect(scheduledShare('2026-11-28', tokyo)).toBeCloseTo(3 / 24)
})

test('the day on which clocks go back has 25 hours', () => {
  const steps = [{ at: at('2026-11-01T05:00:00Z'), dailyMinor: 16_000 }]
  const newYork = { steps, dailyMinor: 8_000, zone: 'America/New_York' }
  expect(scheduledShare('2026-11-01', newYork)).toBeCloseTo((1 + 24 * 2) / 25)
})

test('two steps on one day follow each other', () => {
  const steps = [
    { at: at('2026-11-27T06:00:00Z'), dailyMinor: 16_000 },
    { at: at('2026-11-27T12:00:00Z'), dailyMinor: 0 },
  ]
  expect(scheduledShare('2026-11-27', { ...utc, steps })).toBe((6 + 12) / 24)
})
