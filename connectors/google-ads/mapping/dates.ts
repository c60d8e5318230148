/**
 * Times as the network has them: `yyyy-MM-dd HH:mm:ss` on the wall clock of the account. It counts an end as
 * the last second that still runs, Flightdeck as the first that does not.
 */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric' },
    ...{ month: two, day: two, hour: two, minute: two, second: two },
  })
  formats.set(timeZone, made)
  return made
}

/** The wall clock of a zone at an instant. */
export function wallClockAt(at: number, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(at)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  return `${date} ${part('hour')}:${part('minute')}:${part('second')}`
}

const utcOf = (wallClock: string): number => Date.parse(`${wallClock.replace(' ', 'T')}Z`)
const dayMs = 86_400_000

/** The instants at which the wall clock of a zone shows that; two where it is set back. */
function instantsAt(wallClock: string, timeZone: string): number[] {
  const utc = utcOf(wallClock)
  const offsets = [utc - dayMs, utc + dayMs].map((at) => utcOf(wallClockAt(at, timeZone)) - at)
  return [...new Set(offsets.map((offset) => utc - offset))]
    .filter((at) => wallClockAt(at, timeZone) === wallClock)
    .toSorted((a, b) => a - b)
}

/** The first instant of a gap of the wall clock, which skips that time. */
function afterGap(wallClock: string, timeZone: string): number {
  const utc = utcOf(wallClock)
  let [low, high] = [utc - dayMs, utc + dayMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (wallClockAt(middle, timeZone) < wallClock) low = middle
    else high = middle
  }
  return high
}

const midnight = '00:00:00'
const lastSecond = '23:59:59'

/** Whether texts of dates are of whole days. */
export const isStartOfDay = (text: string): boolean => text.endsWith(midnight)
export const isEndOfDay = (text: string): boolean => text.endsWith(lastSecond)

/** Times as they are written here; a day that no month has is none, though it can be parsed. */
export function isTime(text: string): boolean {
  const utc = utcOf(text)
  return !Number.isNaN(utc) && wallClockAt(utc, 'UTC') === text
}

/**
 * When a campaign starts; null for what is no time, and for one that the clock skips: what the network takes it
 * for is not known. A day begins and ends with it, though its clock skip the hour.
 */
export function startAt(wallClock: string, timeZone: string): number | null {
  if (!isTime(wallClock)) return null
  const [first] = instantsAt(wallClock, timeZone)
  return first ?? (isStartOfDay(wallClock) ? afterGap(wallClock, timeZone) : null)
}

/** When a campaign has ended: the last second of its end is over. */
export function endAt(wallClock: string, timeZone: string): number | null {
  if (!isTime(wallClock)) return null
  const last = instantsAt(wallClock, timeZone).at(-1)
  if (last !== undefined) return last + 1_000
  return isEndOfDay(wallClock) ? afterGap(wallClock, timeZone) : null
}

/** The text of a start; null where no text means this very instant. */
export function startText(at: number, timeZone: string): string | null {
  const wallClock = wallClockAt(at, timeZone)
  // The first instant of a day without midnight is still its start.
  const day = `${wallClock.slice(0, 10)} ${midnight}`
  if (startAt(day, timeZone) === at) return day
  return startAt(wallClock, timeZone) === at ? wallClock : null
}

export function endText(at: number, timeZone: string): string | null {
  const wallClock = wallClockAt(at - 1_000, timeZone)
  const day = `${wallClock.slice(0, 10)} ${lastSecond}`
  if (endAt(day, timeZone) === at) return day
  return endAt(wallClock, timeZone) === at ? wallClock : null
}
