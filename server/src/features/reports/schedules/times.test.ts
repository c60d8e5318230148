import { expect, test } from 'vitest'
import { nextTime, type Rhythm } from './times.ts'

const berlin = { time_zone: 'Europe/Berlin', hour: 8 }

/** The next times, one after the other. */
function timesOf(rhythm: Rhythm, after: string, count: number): string[] {
  const times: string[] = []
  for (let from = after; times.length < count; from = times.at(-1) ?? '') {
    times.push(nextTime(rhythm, from))
  }
  return times.map((time) => time.slice(0, 16))
}

test('a week has its day from Monday to Sunday, and its hour in the time zone', () => {
  const monday = { ...berlin, every: 'week', day: 1 } as const
  // A Monday, before and after the hour, and at it.
  expect(nextTime(monday, '2026-11-23T06:59:59.999Z')).toBe('2026-11-23T07:00:00.000Z')
  expect(nextTime(monday, '2026-11-23T07:00:00.000Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(timesOf({ ...monday, day: 7 }, '2026-11-23T07:00:00Z', 2)).toEqual([
    '2026-11-29T07:00',
    '2026-12-06T07:00',
  ])
})

test('a month that is shorter has its last day', () => {
  const last = { ...berlin, every: 'month', day: 31 } as const
  expect(timesOf(last, '2027-01-15T00:00:00Z', 5)).toEqual([
    '2027-01-31T07:00',
    '2027-02-28T07:00',
    '2027-03-31T06:00',
    '2027-04-30T06:00',
    '2027-05-31T06:00',
  ])
  expect(timesOf(last, '2028-02-01T00:00:00Z', 1)).toEqual(['2028-02-29T07:00'])
})

test('the day is that of the time zone', () => {
  const first = { every: 'month', day: 1, hour: 0, time_zone: 'Pacific/Auckland' } as const
  expect(timesOf(first, '2026-11-30T10:59:00Z', 2)).toEqual([
    '2026-11-30T11:00',
    '2026-12-31T11:00',
  ])
})

test('an hour that the clock skips is sent after the gap, one that it repeats once', () => {
  const night = { every: 'week', day: 7, hour: 2, time_zone: 'Europe/Berlin' } as const
  expect(timesOf(night, '2027-03-21T02:00:00Z', 2)).toEqual([
    '2027-03-28T01:00',
    '2027-04-04T00:00',
  ])
  expect(timesOf(night, '2026-10-24T12:00:00Z', 2)).toEqual([
    '2026-10-25T00:00',
    '2026-11-01T01:00',
  ])
})

test('missed times are one: the next is after now', () => {
  const monday = { ...berlin, every: 'week', day: 1 } as const
  expect(nextTime(monday, '2027-01-01T00:00:00Z')).toBe('2027-01-04T07:00:00.000Z')
})
