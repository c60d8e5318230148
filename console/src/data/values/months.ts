/** Months of the calendar, as `2026-12`. */

const format = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** `Dec 2026`; what is no month stays as it is. */
export const formatMonth = (month: string): string =>
  isMonth(month) ? format.format(new Date(`${month}-01`)) : month

/** `2026-11` and 2: `2027-01`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, of = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, of - 1 + count)).toISOString().slice(0, 7)
}

export const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(text)
