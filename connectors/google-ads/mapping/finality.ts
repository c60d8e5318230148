import { wallClockAt } from './dates.ts'

type Judging = { openDays: number; time_zone: string; now: number }

const dayMs = 86_400_000

/** Whether the figures of a day change no more: as many whole days of the account are over since. */
export function isFinalOn(date: string, { openDays, time_zone, now }: Judging): boolean {
  const today = wallClockAt(now, time_zone).slice(0, 10)
  return (Date.parse(today) - Date.parse(date)) / dayMs > openDays
}
