import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  endAt,
  endText,
  isEndOfDay,
  isStartOfDay,
  startAt,
  startText,
  wallClockAt,
} from './dates.ts'

/** Zones with and without clock changes, of whole, half and quarter hours, on both sides of the day. */
const zones = [
  ...[
    'UTC',
    'Europe/London',
    'Europe/Zurich',
    'Europe/Helsinki',
    'Europe/Lisbon',
    'Europe/Istanbul',
  ],
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  ...['America/Phoenix', 'America/St_Johns', 'America/Sao_Paulo', 'America/Santiago'],
  ...['America/Havana', 'America/Asuncion', 'Africa/Cairo', 'Africa/Casablanca', 'Africa/Lagos'],
  ...['Asia/Beirut', 'Asia/Tehran', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Asia/Dubai'],
  ...['Australia/Sydney', 'Australia/Adelaide', 'Australia/Lord_Howe', 'Pacific/Auckland'],
  ...['Pacific/Chatham', 'Pacific/Honolulu', 'America/Nuuk'],
]

const hour = 3_600_000
const year = 2027

/** The instants of a year at which the clock of a zone changes. */
function changesOf(zone: string): number[] {
  const offset = (at: number) => Date.parse(`${wallClockAt(at, zone).replace(' ', 'T')}Z`) - at
  const from = Date.UTC(year, 0, 1)
  const hours = Array.from({ length: 366 * 24 }, (_, at) => from + at * hour)
  return hours.filter((at) => offset(at) !== offset(at - hour))
}

/** Times that a clock skips where it is set forward around a moment: each quarter of an hour, and the last second. */
function skippedAt(change: number, zone: string): string[] {
  const minute = hour / 60
  const minutes = Array.from({ length: 240 }, (_, at) => change + (at - 120) * minute)
  const clocks = minutes.map((at) => Date.parse(`${wallClockAt(at, zone).replace(' ', 'T')}Z`))
  const at = clocks.findIndex((clock, index) => clock > (clocks[index - 1] ?? clock) + minute)
  if (at < 0) return []
  const [from, to] = [(clocks[at - 1] ?? 0) + minute, clocks[at] ?? 0]
  const quarters = Array.from(
    { length: (to - from) / (hour / 4) },
    (_, of) => from + (of * hour) / 4,
  )
  return [...quarters, to - 1_000].map((clock) =>
    new Date(clock).toISOString().slice(0, 19).replace('T', ' '),
  )
}

test('there are thirty zones and more', () => {
  expect(zones.length).toBeGreaterThanOrEqual(30)
})

describe.each(zones)('in %s', (zone) => {
  const around = [Date.UTC(year, 5, 15, 12), ...changesOf(zone)].flatMap((at) =>
    Array.from({ length: 60 }, (_, step) => at + (step - 30) * hour),
  )

  test('starts and ends around both clock changes are exact, or refused', () => {
    for (const at of around) {
      const [start, end] = [startText(at, zone), endText(at, zone)]
      if (start !== null) expect(startAt(start, zone)).toBe(at)
      if (end !== null) expect(endAt(end, zone)).toBe(at)
    }
    const refused = around.filter((at) => startText(at, zone) === null)
    // Only the second of two equal hours is ambiguous.
    expect(refused.length).toBeLessThanOrEqual(3)
  })

  test('times that the clock skips are none, but for the bounds of a day', () => {
    const skipped = changesOf(zone).flatMap((change) => skippedAt(change, zone))
    for (const text of skipped) {
      const [start, end] = [startAt(text, zone), endAt(text, zone)]
      // The bound of a day that lacks its midnight or its last second is still exact.
      expect(start && startText(start, zone)).toBe(isStartOfDay(text) ? text : null)
      expect(end && endText(end, zone)).toBe(isEndOfDay(text) ? text : null)
    }
    if (changesOf(zone).length > 0) expect(skipped.length).toBeGreaterThan(0)
  })

  test('whole days are those of the account', () => {
    const days = [...new Set(around.map((at) => wallClockAt(at, zone).slice(0, 10)))]
    for (const day of days) {
      const [first, last] = [startAt(`${day} 00:00:00`, zone), endAt(`${day} 23:59:59`, zone)]
      expect(startText(first ?? 0, zone)).toBe(`${day} 00:00:00`)
      expect(endText(last ?? 0, zone)).toBe(`${day} 23:59:59`)
      const hours = ((last ?? 0) - (first ?? 0)) / hour
      expect(hours).toBeGreaterThanOrEqual(23)
      expect(hours).toBeLessThanOrEqual(25)
    }
  })
})

test('an end is a second before the first that does not run', () => {
  expect(endText(Date.parse('2026-12-24T23:00:00Z'), 'Europe/Zurich')).toBe('2026-12-24 23:59:59')
  expect(endAt('2026-12-24 23:59:59', 'Europe/Zurich')).toBe(Date.parse('2026-12-24T23:00:00Z'))
})

test('of two equal hours the first starts, and the second ends', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map(Date.parse)
  expect(startText(first ?? 0, 'Europe/Zurich')).toBe('2026-10-25 02:30:00')
  expect(startText(second ?? 0, 'Europe/Zurich')).toBeNull()
  expect(endText((second ?? 0) + 1_000, 'Europe/Zurich')).toBe('2026-10-25 02:30:00')
  expect(endText((first ?? 0) + 1_000, 'Europe/Zurich')).toBeNull()
})

test('the bound of a day that lacks it is the instant at which the clock is set forward', () => {
  const [start, end] = ['2027-09-05T04:00:00Z', '2027-03-28T01:00:00Z'].map(Date.parse)
  expect(startAt('2027-09-05 00:00:00', 'America/Santiago')).toBe(start)
  expect(endAt('2027-03-27 23:59:59', 'America/Nuuk')).toBe(end)
})

test('a year has four digits', () => {
  expect(wallClockAt(Date.parse('0999-06-15T12:00:00Z'), 'UTC')).toBe('0999-06-15 12:00:00')
})

test.each([
  ...['', '2026-12-24', '2026-13-40 00:00:00', 'soon', '+012026-12-24 00:00:00'],
  ...['2026-12-24 00:00:00.5', '2026-02-30 00:00:00', '2026-02-29 23:59:59'],
])('%s is no time', (text) => {
  expect(startAt(text, 'UTC')).toBeNull()
  expect(endAt(text, 'UTC')).toBeNull()
})

test('whole seconds of any day come back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_700_000_000, max: 2_100_000_000 }), (seconds) => {
      const at = seconds * 1_000
      const text = startText(at, 'UTC') ?? ''
      expect(startAt(text, 'UTC')).toBe(at)
      expect(isStartOfDay(text)).toBe(at % 86_400_000 === 0)
      expect(isEndOfDay(endText(at, 'UTC') ?? '')).toBe(at % 86_400_000 === 0)
    }),
  )
})
