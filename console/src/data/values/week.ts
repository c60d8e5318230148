/** Week schedules: windows as the API has them, quarter hours to paint, and text to type. */

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

/** `HH:MM` on the wall clock, half-open; the end may be `24:00`. */
export type Window = { day: Day; start: string; end: string }

/** As it is read: the API's types leave room for what may be added. */
type Stored = Omit<Window, 'day'> & { day: string }

export const dayNames: Readonly<Record<Day, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

const quarterMinutes = 15
export const quartersADay = 96

/** Whether each quarter hour of the week is open, from Monday on. */
export type Quarters = readonly boolean[]

export function quartersOf(windows: readonly Stored[]): Quarters {
  const quarters = Array<boolean>(days.length * quartersADay).fill(false)
  for (const { day, start, end } of windows) {
    const first = dayNumber(day) * quartersADay
    quarters.fill(true, first + quarterOf(start), first + quarterOf(end))
  }
  return quarters
}

const dayNumber = (day: string): number => days.findIndex((each) => day.startsWith(each))

export function windowsOf(quarters: Quarters): Window[] {
  return days.flatMap((day, at) => {
    const ofDay = quarters.slice(at * quartersADay, (at + 1) * quartersADay)
    const starts = ofDay.flatMap((isOpen, quarter) =>
      isOpen && !ofDay[quarter - 1] ? [quarter] : [],
    )
    return starts.map((start) => {
      const end = ofDay.indexOf(false, start)
      return { day, start: timeOf(start), end: timeOf(end < 0 ? quartersADay : end) }
    })
  })
}

export const timeOf = (quarter: number): string => {
  const minutes = quarter * quarterMinutes
  return [Math.floor(minutes / 60), minutes % 60]
    .map((part) => `${part}`.padStart(2, '0'))
    .join(':')
}

const quarterOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return Math.floor((hours * 60 + minutes) / quarterMinutes)
}

/** `Mon–Fri 09:00–17:30`: days with the same hours together, a line each. */
export function linesOf(windows: readonly Stored[]): string[] {
  const daysByHours = new Map<string, Day[]>()
  for (const day of days) {
    const hours = windows
      .filter((window) => window.day === day)
      .map(({ start, end }) => `${start}–${end}`)
      .join(', ')
    if (hours !== '') daysByHours.set(hours, [...(daysByHours.get(hours) ?? []), day])
  }
  return [...daysByHours].map(([hours, those]) => `${rangesOf(those)} ${hours}`)
}

/** The schedule in a line. */
export const scheduleText = (windows: readonly Stored[]): string =>
  windows.length === 0 ? 'Always' : linesOf(windows).join('; ')

/** Runs of three and more days are a range. */
function rangesOf(those: readonly Day[]): string {
  const runs: Day[][] = []
  for (const day of those) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && days.indexOf(day) === days.indexOf(last) + 1) run.push(day)
    else runs.push([day])
  }
  return runs
    .map((run) =>
      run.length > 2 ? `${short(run[0])}–${short(run.at(-1))}` : run.map(short).join(', '),
    )
    .join(', ')
}

export const short = (day: Day | undefined): string => (day ? dayNames[day].slice(0, 3) : '')

type Read = { windows: Window[]; fault: string | null }

/** Reads typed lines, each for some days: `mon-fri 9:00-17:30, 20:00-22:00`. */
export function readLines(text: string): Read {
  const windows: Window[] = []
  for (const [at, line] of text.split(/[\n;]/).entries()) {
    if (line.trim() === '') continue
    const read = readLine(line)
    if (!read) return { windows, fault: `Line ${at + 1} is not like “Mon–Fri 09:00–17:30”.` }
    windows.push(...read)
  }
  return { windows: inOrder(windows), fault: null }
}

const inOrder = (windows: readonly Window[]) =>
  windows.toSorted(
    (one, other) =>
      days.indexOf(one.day) - days.indexOf(other.day) || one.start.localeCompare(other.start),
  )

function readLine(line: string): Window[] | null {
  const firstDigit = line.search(/\d/)
  if (firstDigit < 0) return null
  const those = readDays(line.slice(0, firstDigit))
  const hours = line.slice(firstDigit).split(',').map(readHours)
  if (!those || hours.includes(null)) return null
  return those.flatMap((day) => hours.flatMap((each) => (each ? spanOn(day, each) : [])))
}

function readDays(text: string): Day[] | null {
  const parts = text
    .trim()
    .replace(/[,:]$/, '')
    .split(',')
    .map((part) => part.split(/[-–]/).map(readDay))
  if (parts.some((part) => part.length > 2 || part.includes(-1))) return null
  return parts.flatMap(([from = 0, to = from]) => {
    const count = ((to - from + days.length) % days.length) + 1
    return Array.from({ length: count }, (_, at) => days[(from + at) % days.length] ?? 'mon')
  })
}

const readDay = (text: string): number => {
  const letters = text.trim().toLowerCase()
  return days.findIndex(
    (day) => letters.length > 1 && dayNames[day].toLowerCase().startsWith(letters),
  )
}

type Hours = { start: string; end: string }

function readHours(text: string): Hours | null {
  const match = /^\s*(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})\s*$/.exec(text)
  if (!match) return null
  const [, fromHour = '', fromMinute, toHour = '', toMinute] = match
  return {
    start: `${fromHour.padStart(2, '0')}:${fromMinute}`,
    end: `${toHour.padStart(2, '0')}:${toMinute}`,
  }
}

/** Hours over midnight are those of two days. */
function spanOn(day: Day, { start, end }: Hours): Window[] {
  if (end === '00:00') return [{ day, start, end: '24:00' }]
  if (end > start) return [{ day, start, end }]
  const next = days[(days.indexOf(day) + 1) % days.length] ?? 'mon'
  return [
    { day, start, end: '24:00' },
    { day: next, start: '00:00', end },
  ]
}
