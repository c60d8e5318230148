/** How a file writes its days: `DD.MM.YYYY`, or `D MMM YYYY` with the name of the month. */
export type DateFormat = string

/** The formats that are tried if none is named. */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'MMM D, YYYY',
  'D MMM YYYY',
] as const satisfies readonly DateFormat[]

/** Whether it is `YYYY`, `MM` and `DD` in any order, with the same sign or space between them. */
export const isDateFormat = (text: string): boolean => {
  if (dateFormats.some((format) => format === text)) return true
  const parts = text.match(/YYYY|MM|DD/g) ?? []
  const signs = text.replaceAll(/YYYY|MM|DD/g, '#')
  return new Set(parts).size === 3 && parts.length === 3 && /^#[./ -]#[./ -]#$/.test(signs)
}

const mostLetters = 40

/** The day as `YYYY-MM-DD`; undefined where the text is none in this format. */
export function readDay(cell: string, format: DateFormat): string | undefined {
  if (cell.length > mostLetters) return undefined
  const text = cell.trim().replace(/[T ]00:00(:00)?(\.0+)?Z?$/, '')
  const found = format.includes('MMM') ? namedParts(text, format) : numberedParts(text, format)
  if (!found) return undefined
  const { YYYY = '', MM = '', DD = '' } = found
  const day = `${YYYY}-${MM.padStart(2, '0')}-${DD.padStart(2, '0')}`
  return isDay(day) ? day : undefined
}

type Parts = Partial<Record<string, string>>

const signsOf = (text: string) => text.replaceAll(/\d+/g, '#')

function numberedParts(text: string, format: DateFormat): Parts | undefined {
  const names = format.match(/YYYY|MM|DD/g) ?? []
  if (signsOf(text) !== format.replaceAll(/YYYY|MM|DD/g, '#')) return undefined
  const digits = text.match(/\d+/g) ?? []
  return Object.fromEntries(names.map((name, at) => [name, digits[at]]))
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `Nov 22, 2026`, `22 November 2026`, with or without the day of the week. */
function namedParts(text: string, format: DateFormat): Parts | undefined {
  const words = text.replaceAll(/[,.]/g, ' ').split(' ').filter(Boolean)
  const [first = '', second = '', YYYY = '', more] = words.length === 4 ? words.slice(1) : words
  const [month, DD] = format.startsWith('M') ? [first, second] : [second, first]
  const at = months.indexOf(month.slice(0, 3).toLowerCase())
  const isWhole = more === undefined && at >= 0 && /^[A-Za-z]{3,9}$/.test(month)
  return isWhole && /^\d{1,2}$/.test(DD) ? { YYYY, MM: `${at + 1}`, DD } : undefined
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/**
 * The formats that read most of the cells, the best first: several where they read the same cells
 * as different days.
 */
export function formatsOf(cells: readonly string[]): readonly DateFormat[] {
  const texts = [...new Set(cells)]
  const judged = dateFormats.map((format) => {
    const days = texts.map((text) => readDay(text, format))
    return { format, days, count: days.filter((day) => day !== undefined).length }
  })
  const most = Math.max(...judged.map(({ count }) => count))
  if (most === 0) return []
  const best = judged.filter(({ count }) => count === most)
  return best
    .filter(({ days }, at) => !best.slice(0, at).some((each) => isSame(each.days, days)))
    .map(({ format }) => format)
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.every((day, at) => day === other[at])
