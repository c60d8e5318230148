/** The wall clock of accounts. Of the fake’s own: it does not share the mistakes of the adapter. */

/** `yyyy-MM-dd HH:mm:ss` in a zone; `sv-SE` writes times so. */
export const wallClock = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)

export const today = (at: number, timeZone: string): string => wallClock(at, timeZone).slice(0, 10)

/** Days from the first to the last, both counted. */
export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last.slice(0, 10)) - Date.parse(first.slice(0, 10))) / 86_400_000) + 1

/** Whether the text is a date and a time that exist in the calendar. */
export function isDateTime(text: string): boolean {
  const at = Date.parse(`${text.replace(' ', 'T')}Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.replace(' ', 'T'))
}
