import type { FieldFault, Plan } from '../../kit/src/connect.ts'

/** Hours of a week: windows of Flightdeck, and ad schedules of the network. One for one. */

export type Windows = Plan['schedule']
type Window = Windows[number]

/** `AdScheduleInfo` of the network. */
export type AdSchedule = {
  dayOfWeek: string
  startHour: number
  startMinute: string
  endHour: number
  endMinute: string
}

const days = {
  mon: 'MONDAY',
  tue: 'TUESDAY',
  wed: 'WEDNESDAY',
  thu: 'THURSDAY',
  fri: 'FRIDAY',
  sat: 'SATURDAY',
  sun: 'SUNDAY',
} as const

type Day = keyof typeof days
const dayNames = Object.keys(days) as Day[]

const minutes = { '00': 'ZERO', '15': 'FIFTEEN', '30': 'THIRTY', '45': 'FORTY_FIVE' } as const
const minuteOf = (text: string) => Object.entries(minutes).find(([each]) => each === text)?.[1]

export const mostWindowsPerDay = 6

/** The ad schedules of windows, or why they cannot be held. */
export function adSchedulesOf(windows: Windows): AdSchedule[] | { faults: FieldFault[] } {
  const faults = windows.flatMap((window, at) => faultOf(windows, window, at))
  return faults.length > 0 ? { faults } : windows.flatMap((window) => adScheduleOf(window) ?? [])
}

function faultOf(windows: Windows, window: Window, at: number): FieldFault[] {
  const pointer = `/schedule/${at}`
  if (adScheduleOf(window) === null)
    return [{ pointer, message: 'Google Ads has hours in steps of 15 minutes.' }]
  const before = windows.slice(0, at).filter(({ day }) => day === window.day).length
  if (before < mostWindowsPerDay) return []
  return [{ pointer, message: `Google Ads has at most ${mostWindowsPerDay} windows a day.` }]
}

function adScheduleOf({ day, start, end }: Window): AdSchedule | null {
  const dayOfWeek = Object.entries(days).find(([each]) => each === day)?.[1]
  const [startHour = '', startPart = ''] = start.split(':')
  const [endHour = '', endPart = ''] = end.split(':')
  const [startMinute, endMinute] = [minuteOf(startPart), minuteOf(endPart)]
  if (!dayOfWeek || !startMinute || !endMinute) return null
  const [from, to] = [Number(startHour), Number(endHour)]
  return { dayOfWeek, startHour: from, startMinute, endHour: to, endMinute }
}

/** The window of an ad schedule; null for what is none. */
export function windowOf(schedule: AdSchedule): (Window & { day: Day }) | null {
  const day = dayNames.find((each) => days[each] === schedule.dayOfWeek)
  const [start, end] = [
    clockOf(schedule.startHour, schedule.startMinute),
    clockOf(schedule.endHour, schedule.endMinute),
  ]
  return day && start !== null && end !== null ? { day, start, end } : null
}

function clockOf(hour: number, minute: string): string | null {
  const part = Object.entries(minutes).find(([, name]) => name === minute)?.[0]
  const isHour = Number.isInteger(hour) && hour >= 0 && hour <= 24
  return part !== undefined && isHour ? `${String(hour).padStart(2, '0')}:${part}` : null
}

/** Windows in the order in which Flightdeck keeps them. */
export const inOrder = <Each extends Window & { day: Day }>(windows: readonly Each[]): Each[] =>
  windows.toSorted(
    (one, other) =>
      dayNames.indexOf(one.day) - dayNames.indexOf(other.day) ||
      one.start.localeCompare(other.start),
  )

/** One text for each ad schedule, by which two are compared. */
export const keyOf = (each: AdSchedule): string =>
  [each.dayOfWeek, each.startHour, each.startMinute, each.endHour, each.endMinute].join(' ')
