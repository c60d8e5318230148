import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adSchedulesOf, inOrder, keyOf, windowOf } from './schedule.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const day = fc.constantFrom(...days)
const clock = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`

test('each window of a week is one ad schedule, and comes back', () => {
  fc.assert(
    fc.property(
      day,
      fc.integer({ min: 0, max: 95 }),
      fc.integer({ min: 1, max: 96 }),
      (of, a, b) => {
        fc.pre(a < b)
        const window = { day: of, start: clock(a), end: clock(b) }
        const schedules = adSchedulesOf([window])
        if ('faults' in schedules) throw new Error('refused')
        expect(schedules).toHaveLength(1)
        const [only] = schedules
        if (only) expect(windowOf(only)).toEqual(window)
      },
    ),
  )
})

test.each([
  ['mon', 'MONDAY'],
  ['tue', 'TUESDAY'],
  ['wed', 'WEDNESDAY'],
  ['thu', 'THURSDAY'],
  ['fri', 'FRIDAY'],
  ['sat', 'SATURDAY'],
  ['sun', 'SUNDAY'],
] as const)('%s is %s', (of, dayOfWeek) => {
  expect(adSchedulesOf([{ day: of, start: '08:15', end: '24:00' }])).toEqual([
    { dayOfWeek, startHour: 8, startMinute: 'FIFTEEN', endHour: 24, endMinute: 'ZERO' },
  ])
})

test.each([
  ['00', 'ZERO'],
  ['15', 'FIFTEEN'],
  ['30', 'THIRTY'],
  ['45', 'FORTY_FIVE'],
])('minute %s is %s', (minute, startMinute) => {
  expect(adSchedulesOf([{ day: 'mon', start: `07:${minute}`, end: '09:00' }])).toMatchObject([
    { startHour: 7, startMinute },
  ])
})

test('a day has six windows; the seventh is refused in its place', () => {
  const windows = [0, 1, 2, 3, 4, 5, 6].map((at) => ({
    ...{ day: 'mon' as const, start: clock(at * 8), end: clock(at * 8 + 4) },
  }))
  expect(adSchedulesOf(windows.slice(0, 6))).toHaveLength(6)
  const message = 'Google Ads has at most 6 windows a day.'
  expect(adSchedulesOf(windows)).toEqual({ faults: [{ pointer: '/schedule/6', message }] })
  expect(
    adSchedulesOf([...windows.slice(0, 6), { day: 'tue', start: '00:00', end: '01:00' }]),
  ).toHaveLength(7)
})

test('steps of other minutes are refused', () => {
  expect(adSchedulesOf([{ day: 'mon', start: '08:10', end: '09:00' }])).toMatchObject({
    faults: [{ pointer: '/schedule/0', message: 'Google Ads has hours in steps of 15 minutes.' }],
  })
})

test.each([
  { dayOfWeek: 'UNKNOWN' },
  { startMinute: 'UNKNOWN' },
  { endMinute: 'UNKNOWN' },
  { startHour: -1 },
  { startHour: 1.5 },
  { endHour: 25 },
])('an ad schedule with %o is no window', (change) => {
  const whole = { dayOfWeek: 'MONDAY', startHour: 1, startMinute: 'ZERO', endHour: 24 }
  expect(windowOf({ ...whole, endMinute: 'ZERO' })).not.toBeNull()
  expect(windowOf({ ...whole, endMinute: 'ZERO', ...change })).toBeNull()
})

test('windows come in the order of the week', () => {
  const of = (each: 'mon' | 'sun', start: string) => ({ day: each, start, end: '24:00' })
  const week = [of('sun', '08:00'), of('mon', '20:00'), of('mon', '08:00')]
  expect(inOrder(week)).toEqual([of('mon', '08:00'), of('mon', '20:00'), of('sun', '08:00')])
})

test('ad schedules are the same by all of their members', () => {
  const one = {
    dayOfWeek: 'MONDAY',
    startHour: 1,
    startMinute: 'ZERO',
    endHour: 2,
    endMinute: 'ZERO',
  }
  const others = [
    { ...one, dayOfWeek: 'SUNDAY' },
    { ...one, startHour: 0 },
    { ...one, startMinute: 'THIRTY' },
    { ...one, endHour: 3 },
    { ...one, endMinute: 'THIRTY' },
  ]
  expect(new Set([one, ...others].map(keyOf)).size).toBe(6)
})
