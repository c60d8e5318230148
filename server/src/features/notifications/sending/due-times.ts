const hourMs = 60 * 60 * 1_000
/** The hour of the day, in the zone of the organization, at which daily digests go out. */
const morning = 7

export type Digest = 'none' | 'hourly' | 'daily'

/** When a digest that is begun now goes out. */
export function dueAt(digest: Digest, now: Date, timeZone: string): Date {
  if (digest === 'none') return now
  const nextHour = (Math.floor(now.getTime() / hourMs) + 1) * hourMs
  if (digest === 'hourly') return new Date(nextHour)
  const hours = Array.from({ length: 49 }, (_, at) => new Date(nextHour + at * hourMs))
  const hourIn = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone })
  return hours.find((each) => Number(hourIn.format(each)) === morning) ?? new Date(nextHour)
}
