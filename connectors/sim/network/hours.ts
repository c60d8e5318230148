import type { SimValues } from './state.ts'

/** The wall clock of accounts, in quarter hours: no zone of today has finer offsets. */

export const quarterMs = 15 * 60_000

type Wall = { date: string; day: string; time: string }

const formats = new Map<string, Intl.DateTimeFormat>()
const walls = new Map<string, Wall>()
const mostWalls = 50_000

const formatOf = (timeZone: string) => {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

/** Date, weekday and time of day of a moment's quarter hour in a zone. */
export function wallOf(at: number, timeZone: string): Wall {
  const quarter = Math.floor(at / quarterMs)
  const key = `${timeZone} ${quarter}`
  const known = walls.get(key)
  if (known) return known
  const parts = formatOf(timeZone).formatToParts(quarter * quarterMs)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const wall = {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    day: part('weekday').slice(0, 3).toLowerCase(),
    time: `${part('hour')}:${part('minute')}`,
  }
  if (walls.size >= mostWalls) walls.clear()
  walls.set(key, wall)
  return wall
}

/** Whether a campaign may run at a moment, by its dates and hours. */
export function isOpen({ start_at, end_at, schedule }: SimValues, at: number, timeZone: string) {
  if (start_at !== null && at < Date.parse(start_at)) return false
  if (end_at !== null && at >= Date.parse(end_at)) return false
  if (schedule.length === 0) return true
  const { day, time } = wallOf(at, timeZone)
  return schedule.some((window) => window.day === day && window.start <= time && time < window.end)
}
