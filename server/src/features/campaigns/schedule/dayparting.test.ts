import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { days, isWithin, type Schedule, type ScheduleWindow, windowsBetween } from './dayparting.ts'

const dayMs = 86_400_000

/** `sun 02:00-03:00` as a window. */
function windowOf(text: string): ScheduleWindow {
  const [day = '', start = '', end = ''] = text.split(/[ -]/)
  return { day: day as ScheduleWindow['day'], start, end }
}

/** `2026-03-08T06:00Z` with milliseconds. */
const full = (time: string) => time.replace('Z', ':00.000Z')

/** Worked out by hand: a window, the days in question, and the instants, or none. */
type WindowCase = [window: string, opens: string, closes: string] | [window: string]

function expectOpen(timeZone: string, [from, to]: [string, string], rows: WindowCase[]): void {
  const span = { start: `${from}T00:00:00.000Z`, end: `${to}T00:00:00.000Z` }
  for (const [window, opens, closes] of rows) {
    const expected = opens && closes ? [{ start: full(opens), end: full(closes) }] : []
    expect([window, windowsBetween([windowOf(window)], timeZone, span)]).toEqual([window, expected])
  }
}

describe('a skipped hour', () => {
  test('in New York, on 8 March 2026 from 2 to 3', () => {
    expectOpen(
      'America/New_York',
      ['2026-03-07', '2026-03-11'],
      [
        ['sun 00:00-24:00', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
        ['sun 01:00-02:00', '2026-03-08T06:00Z', '2026-03-08T07:00Z'],
        ['sun 01:30-02:30', '2026-03-08T06:30Z', '2026-03-08T07:30Z'],
        ['sun 02:00-03:00'],
        ['sun 02:15-02:45', '2026-03-08T07:15Z', '2026-03-08T07:45Z'],
        ['sun 02:30-03:00'],
        ['sun 02:30-03:30'],
        ['sun 02:30-04:00', '2026-03-08T07:30Z', '2026-03-08T08:00Z'],
        ['sun 03:00-04:00', '2026-03-08T07:00Z', '2026-03-08T08:00Z'],
        ['sat 09:00-17:00', '2026-03-07T14:00Z', '2026-03-07T22:00Z'],
        ['mon 09:00-17:00', '2026-03-09T13:00Z', '2026-03-09T21:00Z'],
      ],
    )
  })

  test('in Berlin, on 29 March 2026 from 2 to 3', () => {
    expectOpen(
      'Europe/Berlin',
      ['2026-03-27', '2026-03-31'],
      [
        ['sun 00:00-24:00', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
        ['sun 01:00-04:00', '2026-03-29T00:00Z', '2026-03-29T02:00Z'],
        ['sun 02:00-03:00'],
        ['sun 02:00-03:15', '2026-03-29T01:00Z', '2026-03-29T01:15Z'],
        ['sun 02:30-03:30'],
        ['sun 02:45-03:30'],
        ['sat 18:00-24:00', '2026-03-28T17:00Z', '2026-03-28T23:00Z'],
        ['mon 08:00-12:00', '2026-03-30T06:00Z', '2026-03-30T10:00Z'],
      ],
    )
  })

  test('is half of one on Lord Howe Island, on 4 October 2026 from 2 to half past', () => {
    expectOpen(
      'Australia/Lord_Howe',
      ['2026-10-03', '2026-10-06'],
      [
        ['sun 00:00-24:00', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
        ['sun 01:30-02:15', '2026-10-03T15:00Z', '2026-10-03T15:45Z'],
        ['sun 02:00-02:30'],
        ['sun 02:15-02:30'],
        ['sun 02:00-03:00', '2026-10-03T15:30Z', '2026-10-03T16:00Z'],
        ['mon 09:00-10:00', '2026-10-04T22:00Z', '2026-10-04T23:00Z'],
      ],
    )
  })

  test('is a quarter of one in Kathmandu, where 1986 began at 0:15', () => {
    expectOpen(
      'Asia/Kathmandu',
      ['1985-12-31', '1986-01-03'],
      [
        ['wed 00:00-00:15'],
        ['wed 00:00-01:00', '1985-12-31T18:30Z', '1985-12-31T19:15Z'],
        ['wed 00:00-24:00', '1985-12-31T18:30Z', '1986-01-01T18:15Z'],
        ['tue 23:00-24:00', '1985-12-31T17:30Z', '1985-12-31T18:30Z'],
      ],
    )
  })

  test('in São Paulo, the first one of 4 November 2018', () => {
    expectOpen(
      'America/Sao_Paulo',
      ['2018-11-03', '2018-11-06'],
      [
        ['sat 22:00-24:00', '2018-11-04T01:00Z', '2018-11-04T03:00Z'],
        ['sun 00:00-01:00'],
        ['sun 00:30-02:00', '2018-11-04T03:30Z', '2018-11-04T04:00Z'],
        ['sun 00:00-24:00', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
      ],
    )
  })

  test('in Beirut, the first one of 29 March 2026', () => {
    expectOpen(
      'Asia/Beirut',
      ['2026-03-27', '2026-03-30'],
      [
        ['sat 23:00-24:00', '2026-03-28T21:00Z', '2026-03-28T22:00Z'],
        ['sun 00:00-00:45', '2026-03-28T22:00Z', '2026-03-28T22:45Z'],
        ['sun 00:00-01:00'],
        ['sun 00:00-24:00', '2026-03-28T22:00Z', '2026-03-29T21:00Z'],
      ],
    )
  })
})

describe('a repeated hour', () => {
  test('in New York, on 1 November 2026 from 1 to 2', () => {
    expectOpen(
      'America/New_York',
      ['2026-10-31', '2026-11-03'],
      [
        ['sun 00:00-24:00', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
        ['sun 00:30-01:30', '2026-11-01T04:30Z', '2026-11-01T05:30Z'],
        ['sun 01:00-01:30', '2026-11-01T05:00Z', '2026-11-01T05:30Z'],
        ['sun 01:00-02:00', '2026-11-01T05:00Z', '2026-11-01T07:00Z'],
        ['sun 01:30-02:30', '2026-11-01T05:30Z', '2026-11-01T07:30Z'],
        ['sun 02:00-03:00', '2026-11-01T07:00Z', '2026-11-01T08:00Z'],
        ['sat 09:00-17:00', '2026-10-31T13:00Z', '2026-10-31T21:00Z'],
        ['mon 09:00-17:00', '2026-11-02T14:00Z', '2026-11-02T22:00Z'],
      ],
    )
  })

  test('in Berlin, on 25 October 2026 from 2 to 3', () => {
    expectOpen(
      'Europe/Berlin',
      ['2026-10-24', '2026-10-27'],
      [
        ['sun 00:00-24:00', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
        ['sun 02:00-03:00', '2026-10-25T00:00Z', '2026-10-25T02:00Z'],
        ['sun 02:30-02:45', '2026-10-25T00:30Z', '2026-10-25T00:45Z'],
        ['sun 02:45-03:15', '2026-10-25T00:45Z', '2026-10-25T02:15Z'],
        ['mon 08:00-12:00', '2026-10-26T07:00Z', '2026-10-26T11:00Z'],
      ],
    )
  })

  test('is half of one on Lord Howe Island, on 5 April 2026 from half past 1 to 2', () => {
    expectOpen(
      'Australia/Lord_Howe',
      ['2026-04-04', '2026-04-07'],
      [
        ['sun 00:00-24:00', '2026-04-04T13:00Z', '2026-04-05T13:30Z'],
        ['sun 01:30-01:45', '2026-04-04T14:30Z', '2026-04-04T14:45Z'],
        ['sun 01:30-02:00', '2026-04-04T14:30Z', '2026-04-04T15:30Z'],
        ['sun 01:45-02:00', '2026-04-04T14:45Z', '2026-04-04T15:30Z'],
        ['sun 02:00-03:00', '2026-04-04T15:30Z', '2026-04-04T16:30Z'],
      ],
    )
  })

  test('in São Paulo, the last one of 17 February 2018', () => {
    expectOpen(
      'America/Sao_Paulo',
      ['2018-02-17', '2018-02-20'],
      [
        ['sat 22:00-24:00', '2018-02-18T00:00Z', '2018-02-18T03:00Z'],
        ['sat 23:00-23:30', '2018-02-18T01:00Z', '2018-02-18T01:30Z'],
        ['sun 00:00-01:00', '2018-02-18T03:00Z', '2018-02-18T04:00Z'],
      ],
    )
  })

  test('in Beirut, the last one of 24 October 2026', () => {
    expectOpen(
      'Asia/Beirut',
      ['2026-10-23', '2026-10-26'],
      [
        ['sat 23:00-24:00', '2026-10-24T20:00Z', '2026-10-24T22:00Z'],
        ['sun 00:00-24:00', '2026-10-24T22:00Z', '2026-10-25T22:00Z'],
      ],
    )
  })

  test('continues over midnight on the day that had started: St. John’s, 7 November 2010', () => {
    expectOpen(
      'America/St_Johns',
      ['2010-11-06', '2010-11-09'],
      [
        ['sat 23:00-24:00', '2010-11-07T01:30Z', '2010-11-07T02:30Z'],
        ['sun 00:00-01:00', '2010-11-07T02:30Z', '2010-11-07T04:30Z'],
      ],
    )
    const sunday = [windowOf('sun 00:00-01:00')]
    expect(isWithin(sunday, 'America/St_Johns', '2010-11-07T02:45:00.000Z')).toBe(true)
  })
})

test('a skipped day counts as a skipped hour, 24 times as long: Samoa, 30 December 2011', () => {
  expectOpen(
    'Pacific/Apia',
    ['2011-12-29', '2012-01-02'],
    [
      ['thu 18:00-24:00', '2011-12-30T04:00Z', '2011-12-30T10:00Z'],
      ['fri 00:00-24:00'],
      ['fri 09:00-17:00', '2011-12-30T19:00Z', '2011-12-31T03:00Z'],
      ['sat 00:00-24:00', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
    ],
  )
})

test('an offset of three quarters of an hour: Kathmandu', () => {
  expectOpen(
    'Asia/Kathmandu',
    ['2026-03-07', '2026-03-11'],
    [
      ['sun 00:00-24:00', '2026-03-07T18:15Z', '2026-03-08T18:15Z'],
      ['mon 09:00-17:30', '2026-03-09T03:15Z', '2026-03-09T11:45Z'],
    ],
  )
})

describe('windows', () => {
  const noonToNoon = { start: '2026-06-01T12:00:00.000Z', end: '2026-06-03T12:00:00.000Z' }
  const between = (...windows: string[]) =>
    windowsBetween(windows.map(windowOf), 'UTC', noonToNoon).map(({ start, end }) => [start, end])

  test('that touch are merged, also over midnight', () => {
    expect(between('mon 20:00-22:00', 'mon 22:00-24:00', 'tue 00:00-06:00')).toEqual([
      ['2026-06-01T20:00:00.000Z', '2026-06-02T06:00:00.000Z'],
    ])
  })

  test('that a skipped hour shifts into each other are merged', () => {
    const schedule = [windowOf('sun 02:15-02:30'), windowOf('sun 03:00-05:00')]
    const span = { start: '2026-03-07T00:00:00.000Z', end: '2026-03-10T00:00:00.000Z' }
    const open = { start: '2026-03-08T07:00:00.000Z', end: '2026-03-08T09:00:00.000Z' }
    expect(windowsBetween(schedule, 'America/New_York', span)).toEqual([open])
  })

  test('are cut at the ends of the span', () => {
    expect(between('mon 09:00-13:00', 'wed 11:45-18:00', 'wed 12:00-13:00')).toEqual([
      ['2026-06-01T12:00:00.000Z', '2026-06-01T13:00:00.000Z'],
      ['2026-06-03T11:45:00.000Z', '2026-06-03T12:00:00.000Z'],
    ])
  })

  test('repeat every week, in order, whatever their order in the schedule', () => {
    const span = { start: '2026-06-01T00:00:00.000Z', end: '2026-06-15T00:00:00.000Z' }
    const schedule = [windowOf('fri 10:00-11:00'), windowOf('mon 09:00-10:00')]
    expect(windowsBetween(schedule, 'UTC', span).map(({ start }) => start.slice(5, 13))).toEqual([
      '06-01T09',
      '06-05T10',
      '06-08T09',
      '06-12T10',
    ])
  })

  test('if there are none are always open', () => {
    expect(windowsBetween([], 'Europe/Berlin', noonToNoon)).toEqual([noonToNoon])
    expect(isWithin([], 'Europe/Berlin', noonToNoon.start)).toBe(true)
  })

  test('that cover the week are the whole span, over both changes of the clock', () => {
    const week = days.map((day) => ({ day, start: '00:00', end: '24:00' }))
    const year = { start: '2026-01-01T07:08:09.123Z', end: '2027-01-01T00:00:00.000Z' }
    expect(windowsBetween(week, 'Australia/Lord_Howe', year)).toEqual([year])
  })

  test('include their first instant but not their last', () => {
    const schedule = [windowOf('mon 09:00-10:00')]
    const within = (time: string) => isWithin(schedule, 'Asia/Kathmandu', `2026-03-09T${time}Z`)
    expect(within('03:14:59.999')).toBe(false)
    expect(within('03:15:00.000')).toBe(true)
    expect(within('04:14:59.999')).toBe(true)
    expect(within('04:15:00.000')).toBe(false)
  })
})

const zones = [
  ...['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'],
  ...['Pacific/Apia', 'America/Sao_Paulo', 'Asia/Beirut', 'America/St_Johns', 'Africa/Casablanca'],
  ...['Pacific/Kwajalein', 'Antarctica/Troll', 'Asia/Tehran', 'Europe/Dublin', 'America/Nuuk'],
]

const quarterText = (quarter: number) => {
  const [hour, minute] = [Math.floor(quarter / 4), (quarter % 4) * 15]
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** Pairs of a day's sorted quarter hours never overlap, but may touch. */
const dayWindows = (day: ScheduleWindow['day']) =>
  fc.array(fc.integer({ min: 0, max: 96 }), { maxLength: 8 }).map((quarters) => {
    const sorted = quarters.toSorted((one, other) => one - other)
    return sorted.flatMap((start, at): ScheduleWindow[] => {
      const end = sorted[at + 1] ?? start
      if (at % 2 === 1 || end === start) return []
      return [{ day, start: quarterText(start), end: quarterText(end) }]
    })
  })

const schedules = fc
  .tuple(...days.map(dayWindows))
  .map((windows): Schedule => windows.flat())
  .filter((schedule) => schedule.length > 0)

/** Minutes around one of a zone's clock changes, or anywhere if it has none. */
const moments = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    around: fc.date({
      min: new Date('1969-01-01'),
      max: new Date('2037-01-01'),
      noInvalidDate: true,
    }),
    minutes: fc.integer({ min: -4_000, max: 4_000 }),
    ms: fc.constantFrom(0, 0, 1, -1),
  })
  .map(({ timeZone, around, minutes, ms }) => {
    const near = Temporal.Instant.fromEpochMilliseconds(around.getTime())
    const change = near.toZonedDateTimeISO(timeZone).getTimeZoneTransition('next')
    const base = change ? change.epochMilliseconds : Math.floor(around.getTime() / dayMs) * dayMs
    return { timeZone, epochMs: base + minutes * 60_000 + ms }
  })

const textOf = (epochMs: number) => new Date(epochMs).toISOString()
const settings = { numRuns: 3_000, seed: 4711 }

/** The rule word for word: each window of each nearby date, both ends by Temporal. */
function isOpen(schedule: Schedule, timeZone: string, epochMs: number): boolean {
  const today = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO('UTC')
  const at = (date: Temporal.PlainDate, time: string) =>
    (time === '24:00'
      ? date.add({ days: 1 }).toPlainDateTime()
      : date.toPlainDateTime(time)
    ).toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
  return [-3, -2, -1, 0, 1, 2, 3].some((distance) => {
    const date = today.toPlainDate().add({ days: distance })
    const own = schedule.filter(({ day }) => day === days[date.dayOfWeek - 1])
    return own.some(({ start, end }) => at(date, start) <= epochMs && epochMs < at(date, end))
  })
}

describe('around clock changes, for any schedule', () => {
  test('the answer for an instant matches the windows and the rule', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, { timeZone, epochMs }) => {
        const instant = textOf(epochMs)
        const span = { start: textOf(epochMs - 3 * dayMs), end: textOf(epochMs + 3 * dayMs) }
        const windows = windowsBetween(schedule, timeZone, span)
        const isInOne = windows.some(({ start, end }) => start <= instant && instant < end)
        expect(isWithin(schedule, timeZone, instant)).toBe(isInOne)
        expect(isWithin(schedule, timeZone, instant)).toBe(isOpen(schedule, timeZone, epochMs))
      }),
      settings,
    )
  })

  test('windows lie within the span, ordered and disjoint, however it is cut', () => {
    fc.assert(
      fc.property(
        schedules,
        moments,
        fc.integer({ min: 0, max: 6_000 }),
        (schedule, moment, cut) => {
          const { timeZone, epochMs } = moment
          const [start, end] = [textOf(epochMs - 2 * dayMs), textOf(epochMs + 3 * dayMs)]
          const middle = textOf(epochMs - 2 * dayMs + (cut + 1) * 60_000)
          const whole = windowsBetween(schedule, timeZone, { start, end })
          const edges = whole.flatMap((window) => [window.start, window.end])
          expect(edges).toEqual([...new Set(edges)].sort())
          expect(edges.every((edge) => edge >= start && edge <= end)).toBe(true)
          const left = windowsBetween(schedule, timeZone, { start, end: middle })
          const right = windowsBetween(schedule, timeZone, { start: middle, end })
          const rejoined = [...left, ...right].flatMap((window) => [window.start, window.end])
          const isCut = left.at(-1)?.end === middle && right[0]?.start === middle
          expect(isCut ? rejoined.filter((edge) => edge !== middle) : rejoined).toEqual(edges)
        },
      ),
      settings,
    )
  })
})
