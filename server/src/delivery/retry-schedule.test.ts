import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttemptAt, type Wait } from './retry-schedule.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const plain: Wait = { schedule, retryCount: 0, retryAfter: null, now, random: 0 }

const secondsUntil = (wait: Partial<Wait>) => {
  const at = nextAttemptAt({ ...plain, ...wait })
  return at && (at.getTime() - now.getTime()) / 1000
}

test('each failed attempt waits for the next step of the schedule', () => {
  const waits = schedule.map((_, retryCount) => secondsUntil({ retryCount }))
  expect(waits).toEqual(schedule)
  expect(secondsUntil({ retryCount: schedule.length })).toBe(null)
})

test('up to a fifth of jitter is added', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (at, random) => {
      const planned = schedule[at] ?? 0
      const waited = secondsUntil({ retryCount: at, random }) ?? 0
      expect(waited).toBeGreaterThanOrEqual(planned)
      expect(waited).toBeLessThanOrEqual(planned * 1.2 + 0.001)
    }),
  )
})

test('the receiver may ask for more time, in seconds or by a date, up to a day', () => {
  expect(secondsUntil({ retryAfter: '120' })).toBe(120)
  expect(secondsUntil({ retryAfter: '2' })).toBe(5)
  expect(secondsUntil({ retryAfter: 'Sun, 01 Mar 2026 12:10:00 GMT' })).toBe(600)
  expect(secondsUntil({ retryAfter: 'Sun, 01 Mar 2026 11:00:00 GMT' })).toBe(5)
  expect(secondsUntil({ retryAfter: '999999999' })).toBe(86_400)
  for (const nonsense of ['', 'soon', '-5', '1e9', '5 s']) {
    expect(secondsUntil({ retryAfter: nonsense })).toBe(5)
  }
})
