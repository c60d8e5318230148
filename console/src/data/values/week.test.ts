import { describe, expect, test } from 'vitest'
import { linesOf, quartersOf, readLines, scheduleText, type Window, windowsOf } from './week.ts'

const on = (day: Window['day'], start: string, end: string): Window => ({ day, start, end })

const weekdays = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) =>
  on(day, '09:00', '17:30'),
)

describe('a week schedule in words', () => {
  test.each<[string, Window[]]>([
    ['Always', []],
    ['Mon–Fri 09:00–17:30', weekdays],
    ['Mon, Tue 09:00–17:30', weekdays.slice(0, 2)],
    ['Mon 09:00–12:00, 13:00–24:00', [on('mon', '09:00', '12:00'), on('mon', '13:00', '24:00')]],
    ['Mon, Sun 00:00–24:00', [on('mon', '00:00', '24:00'), on('sun', '00:00', '24:00')]],
    [
      'Mon 08:00–09:00; Tue 09:00–10:00',
      [on('mon', '08:00', '09:00'), on('tue', '09:00', '10:00')],
    ],
  ])('%s', (text, windows) => {
    expect(scheduleText(windows)).toBe(text)
    expect(readLines(windows.length === 0 ? '' : text)).toEqual({ windows, fault: null })
  })

  test('days with the same hours are one line', () => {
    expect(linesOf([...weekdays, on('sat', '10:00', '12:00')])).toEqual([
      'Mon–Fri 09:00–17:30',
      'Sat 10:00–12:00',
    ])
  })
})

describe('typed lines of a week schedule', () => {
  test.each<[string, Window[]]>([
    ['mon 9:00-12:00', [on('mon', '09:00', '12:00')]],
    ['fri 22:00-02:00', [on('fri', '22:00', '24:00'), on('sat', '00:00', '02:00')]],
    ['sun 22:00-02:00', [on('mon', '00:00', '02:00'), on('sun', '22:00', '24:00')]],
    ['mon 18:00-0:00', [on('mon', '18:00', '24:00')]],
    [
      'Sat-Mon: 9:00-10:00',
      [on('mon', '09:00', '10:00'), on('sat', '09:00', '10:00'), on('sun', '09:00', '10:00')],
    ],
    [
      'tuesday 9:00–10:00; wed 9:00–10:00',
      [on('tue', '09:00', '10:00'), on('wed', '09:00', '10:00')],
    ],
  ])('%s is read', (text, windows) => {
    expect(readLines(text)).toEqual({ windows, fault: null })
  })

  test.each(['mon', '9:00-17:00', 'm 9:00-17:00', 'mon-tue-wed 9:00-10:00', 'mon 9-17'])(
    '%s is refused by its line',
    (line) => {
      const { fault } = readLines(`tue 9:00-10:00\n${line}`)
      expect(fault).toBe('Line 2 is not like “Mon–Fri 09:00–17:30”.')
    },
  )
})

test.each<[string, Window[]]>([
  ['nothing', []],
  ['windows that touch midnight', [on('mon', '23:45', '24:00'), on('tue', '00:00', '00:15')]],
  ['weekdays', weekdays],
])('%s can be painted and read back', (_, windows) => {
  expect(windowsOf(quartersOf(windows))).toEqual(windows)
})

test('windows that touch or overlap are painted as one', () => {
  const painted = quartersOf([on('mon', '09:00', '12:00'), on('mon', '11:00', '13:00')])
  expect(windowsOf(painted)).toEqual([on('mon', '09:00', '13:00')])
  expect(painted.filter(Boolean)).toHaveLength(16)
})
