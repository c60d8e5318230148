import { type Fault, fault } from '../../../problems/fault.ts'
import { days, type Schedule, type ScheduleWindow } from '../schedule/dayparting.ts'

/** The schedule as stored, sorted by day and start, or every fault of its windows. */
export function normalizeSchedule(
  given: Schedule | null | undefined,
  addFault: (fault: Fault) => void,
): Schedule {
  const windows = (given ?? []).map((window, at) => ({ ...window, at }))
  const sound = windows.filter((window) => {
    const faults = windowFaults(window)
    faults.forEach(addFault)
    return faults.length === 0
  })
  const sorted = sound.toSorted(byDayAndStart)
  overlaps(sorted).forEach(addFault)
  return sorted.map(({ day, start, end }) => ({ day, start, end }))
}

type PositionedWindow = ScheduleWindow & { at: number }

export const byDayAndStart = (one: ScheduleWindow, other: ScheduleWindow): number =>
  days.indexOf(one.day) - days.indexOf(other.day) || one.start.localeCompare(other.start)

const quarterHour = /^(?:[01]\d|2[0-3]):(?:00|15|30|45)$/

function windowFaults({ at, start, end }: PositionedWindow): Fault[] {
  const faults: Fault[] = []
  const addFault = (name: string, message: string, given: string) =>
    faults.push(
      fault(`/schedule/${at}/${name}`, 'invalid_schedule', message, { given: given.slice(0, 80) }),
    )
  if (!quarterHour.test(start)) {
    addFault('start', 'must be HH:MM from 00:00 to 23:45, in steps of 15 minutes', start)
  }
  if (end !== '24:00' && !quarterHour.test(end)) {
    addFault('end', 'must be HH:MM from 00:15 to 24:00, in steps of 15 minutes', end)
  }
  if (faults.length === 0 && end <= start) {
    addFault('end', 'must be after start; split hours that cross midnight into two windows', end)
  }
  return faults
}

/** Reports the later window of each overlapping pair, once. */
function overlaps(sorted: readonly PositionedWindow[]): Fault[] {
  const found = new Map<number, Fault>()
  let latest: PositionedWindow | undefined
  for (const window of sorted) {
    if (latest?.day === window.day && window.start < latest.end) {
      const [first, second] = window.at < latest.at ? [window, latest] : [latest, window]
      const message = `overlaps ${first.day} ${first.start}–${first.end}`
      found.set(second.at, fault(`/schedule/${second.at}`, 'schedule_overlap', message))
    }
    if (latest?.day !== window.day || window.end > latest.end) latest = window
  }
  return [...found.values()]
}
