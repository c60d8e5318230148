import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daily, judged } from '../../../../../test/support/cases/pacing-case.ts'
import { calendarDays, type Schedule } from '../../schedule/dayparting.ts'
import { type DayRun, dateOf, daysIn } from './days.ts'
import { monthAt } from './period.ts'
import { stepsOf } from './steps.ts'

const hourMs = 3_600_000
const zones = Intl.supportedValuesOf('timeZone')

const bound = { status: 'active' as const, daily_budget_minor: 100_00, schedule: null }

const office: Schedule = (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map(
  (day) => ({
    day,
    start: '09:00',
    end: '17:00',
  }),
)

const oneByOne = (runs: readonly DayRun[]): DayRun[] =>
  runs.flatMap(({ count, ...rest }) => Array.from({ length: count }, () => ({ count: 1, ...rest })))

describe('in every time zone', () => {
  test('the days of a month follow on each other, whatever the clock does', () => {
    const months = zones.flatMap((zone) => [3, 10].map((month) => ({ zone, month })))
    for (const { zone, month } of months) {
      const { start, end } = monthAt(zone, Date.UTC(2026, month - 1, 15))
      const days = calendarDays(zone, { start, end })
      expect([zone, days.length]).toEqual([zone, new Date(Date.UTC(2026, month, 0)).getUTCDate()])
      expect([zone, days[0]?.start, days.at(-1)?.end]).toEqual([zone, start, end])
      const ends = days.map((day) => day.end)
      expect(ends.slice(0, -1)).toEqual(days.slice(1).map((day) => day.start))
      const hours = days.map((day) => (day.end - day.start) / hourMs)
      // By two hours in Antarctica.
      expect([zone, hours.every((each) => each >= 22 && each <= 26)]).toEqual([zone, true])
    }
  })

  test('a day owes one daily budget, though it may have 23, 24 or 25 hours', () => {
    for (const time_zone of zones) {
      const { start, end } = monthAt(time_zone, Date.UTC(2026, 9, 15))
      const launched_at = new Date(start).toISOString()
      const now = new Date(end - hourMs).toISOString()
      const spend = daily('2026-10-01', 30, 100_00, now)
      const figures = judged({ time_zone, launched_at, now, spend })
      expect([
        time_zone,
        figures.target_minor,
        figures.expected_minor,
        figures.pacing_index,
      ]).toEqual([time_zone, 3100_00, 3000_00, 1])
    }
  })

  test('a lifetime budget is spread over the hours that are scheduled', () => {
    for (const time_zone of zones) {
      const { start, end } = monthAt(time_zone, Date.UTC(2026, 9, 15))
      const figures = judged({
        time_zone,
        daily_budget_minor: null,
        lifetime_budget_minor: 3100_00,
        schedule: office,
        launched_at: new Date(start).toISOString(),
        end_at: new Date(end).toISOString(),
        now: new Date(end - hourMs).toISOString(),
        spend: daily('2026-10-01', 30, 100_00, new Date(end - hourMs).toISOString()),
      })
      // No clock changes between nine and five.
      expect([time_zone, figures.expected_minor, figures.pacing_index]).toEqual([
        time_zone,
        3000_00,
        1,
      ])
    }
  })
})

describe('a date that the clock skips', () => {
  test('is a day without time, and owes nothing', () => {
    const [first, last] = [Date.UTC(2011, 11, 29, 12), Date.UTC(2012, 0, 1, 12)]
    const { first: day, runs } = daysIn(
      'Pacific/Apia',
      { start: first, end: last },
      stepsOf(bound, [], last),
    )
    const open = oneByOne(runs).map(({ openMs }, at) => [dateOf(day + at), openMs / hourMs])
    expect(open).toEqual([
      ['2011-12-29', 22],
      ['2011-12-30', 0],
      ['2011-12-31', 24],
      ['2012-01-01', 24],
      ['2012-01-02', 2],
    ])
  })
})

test('however steps cut a span, the open time stays the same', () => {
  const minute = fc.integer({ min: 0, max: 40 * 24 * 60 })
  const zone = fc.constantFrom(...zones)
  const start = Date.UTC(2026, 2, 1)
  fc.assert(
    fc.property(
      zone,
      fc.array(minute, { maxLength: 6 }),
      fc.boolean(),
      (timeZone, cuts, hasSchedule) => {
        const schedule = hasSchedule ? office : null
        const span = { start, end: start + 40 * 24 * hourMs }
        const records = cuts
          .sort((one, other) => other - one)
          .map((at, index) => ({
            at: new Date(start + at * 60_000).toISOString(),
            changes: [
              {
                field: 'status' as const,
                before: index % 2 === 0 ? ('paused' as const) : ('active' as const),
                after: index % 2 === 0 ? ('active' as const) : ('paused' as const),
              },
            ],
          }))
        const steps = stepsOf({ ...bound, schedule }, records, span.end)
        const whole = daysIn(timeZone, span, stepsOf({ ...bound, schedule }, [], span.end))
        const days = daysIn(timeZone, span, steps)
        const openOf = (runs: readonly DayRun[]) => oneByOne(runs).map(({ openMs }) => openMs)
        expect(openOf(days.runs)).toEqual(openOf(whole.runs))
        for (const { runMs, openMs } of days.runs) expect(runMs).toBeLessThanOrEqual(openMs)
      },
    ),
    { numRuns: 200 },
  )
})
