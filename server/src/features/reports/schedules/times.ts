/** Computes when a schedule is due. Pure. */

export type Rhythm = {
  readonly every: 'week' | 'month'
  readonly day: number
  readonly hour: number
  readonly time_zone: string
}

/**
 * The first time after an instant, RFC 3339. An hour that the clock skips is sent at the end of the
 * gap, one that it repeats at its first occurrence.
 */
export function nextTime(rhythm: Rhythm, after: string): string {
  const { hour, time_zone: timeZone } = rhythm
  const { epochMilliseconds, ...local } = localDay(after, timeZone)
  // One before: a date that the clock skips is over later than its name says.
  for (let ahead = -1; ; ahead += 1) {
    const date = dateOf(rhythm, local.date, ahead)
    const due = date.toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds
    if (due > epochMilliseconds) return new Date(due).toISOString()
  }
}

function localDay(instant: string, timeZone: string) {
  const zoned = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone)
  return { epochMilliseconds: zoned.epochMilliseconds, date: zoned.toPlainDate() }
}

/** The day in the week or month that is so far ahead of that of a date. */
function dateOf(
  { every, day }: Rhythm,
  date: Temporal.PlainDate,
  ahead: number,
): Temporal.PlainDate {
  if (every === 'week') return date.add({ days: day - date.dayOfWeek + 7 * ahead })
  const month = date.toPlainYearMonth().add({ months: ahead })
  return month.toPlainDate({ day: Math.min(day, month.daysInMonth) })
}
