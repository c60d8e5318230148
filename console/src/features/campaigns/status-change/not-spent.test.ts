import { expect, test } from 'vitest'
import { daysAround, notSpent, pausedSpan, roughly } from './not-spent.ts'

const plan = {
  daily_budget_minor: 24_000,
  lifetime_budget_minor: null,
  start_at: null,
  end_at: null,
  launched_at: '2026-11-01T00:00:00.000Z',
  time_zone: 'UTC',
}
const at = '2026-11-24T03:00:00.000Z'
const now = '2026-11-24T09:00:00.000Z'
const allDay = (zone = 'UTC') => [daysAround({ start: at, end: now }, zone)]

test('a pause of six hours of a day leaves a quarter of its budget', () => {
  const span = { start: at, end: now }
  expect(pausedSpan(plan, { at, now })).toEqual(span)
  expect(notSpent(plan, span, allDay())).toBe(6000)
})

test('a pause over midnight counts by the days of the campaign’s zone', () => {
  const span = { start: '2026-11-23T18:00:00.000Z', end: '2026-11-24T12:00:00.000Z' }
  expect(notSpent(plan, span, [daysAround(span, 'UTC')])).toBe(18_000)
  const tokyo = { ...plan, time_zone: 'Asia/Tokyo' }
  const around = daysAround(span, 'Asia/Tokyo')
  expect(around).toEqual({ start: '2026-11-23T15:00:00.000Z', end: '2026-11-24T15:00:00.000Z' })
  expect(notSpent(tokyo, span, [around])).toBe(18_000)
})

test('closed hours cost nothing, and open ones the whole day', () => {
  const open = [{ start: '2026-11-24T08:00:00.000Z', end: '2026-11-24T10:00:00.000Z' }]
  expect(notSpent(plan, { start: at, end: now }, open)).toBe(12_000)
  expect(notSpent(plan, { start: at, end: '2026-11-24T07:00:00.000Z' }, open)).toBe(0)
})

test('before its start and after its end nothing would have been spent', () => {
  const later = { ...plan, start_at: '2026-11-24T08:00:00.000Z' }
  expect(pausedSpan(later, { at, now })).toEqual({ start: later.start_at, end: now })
  expect(pausedSpan({ ...plan, start_at: '2026-12-01T00:00:00.000Z' }, { at, now })).toBeNull()
  const over = { ...plan, end_at: '2026-11-24T04:00:00.000Z' }
  expect(pausedSpan(over, { at, now })).toEqual({ start: at, end: over.end_at })
})

test('a lifetime budget alone is spread over its flight; without an end nothing is said', () => {
  const lifetime = { ...plan, daily_budget_minor: null, lifetime_budget_minor: 100_000 }
  const flight = {
    ...lifetime,
    start_at: '2026-11-24T00:00:00.000Z',
    end_at: '2026-11-26T00:00:00.000Z',
  }
  expect(notSpent(flight, { start: at, end: now }, [])).toBe(12_500)
  expect(notSpent(lifetime, { start: at, end: now }, [])).toBeNull()
})

test('an estimate has two digits', () => {
  expect([41_234, 999, 5, 0].map(roughly)).toEqual([41_000, 1000, 5, 0])
})
