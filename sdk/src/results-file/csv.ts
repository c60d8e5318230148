/** A row of a CSV file, and the line of the file that it begins in, from 1. */
export type CsvRow = {
  readonly line: number
  readonly cells: readonly string[]
  /** The offset at which it begins in the text. */
  readonly start: number
}

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** RFC 4180, with any line ends; blank lines are left out. Throws a `CsvFault`. */
export function readCsv(
  text: string,
  delimiter: Delimiter,
  maxRows = Number.POSITIVE_INFINITY,
): CsvRow[] {
  const rows: CsvRow[] = []
  const place = { at: text.startsWith('\ufeff') ? 1 : 0, line: 1 }
  while (place.at < text.length && rows.length < maxRows) {
    const { line, at: start } = place
    const cells = readRow(text, delimiter, place)
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push({ line, cells, start })
  }
  return rows
}

/** The text is no CSV. */
export class CsvFault extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

type Place = { at: number; line: number }

/** Moves the place to the next row. */
function readRow(text: string, delimiter: Delimiter, place: Place): string[] {
  const cells: string[] = []
  for (;;) {
    cells.push(text[place.at] === '"' ? readQuoted(text, place) : readPlain(text, delimiter, place))
    const next = text[place.at]
    if (next === delimiter) {
      place.at += 1
      continue
    }
    if (next !== undefined && next !== '\r' && next !== '\n') {
      throw new CsvFault(place.line, 'has text after a closing quote')
    }
    if (next === '\r' && text[place.at + 1] === '\n') place.at += 1
    place.at += 1
    place.line += 1
    return cells
  }
}

function readPlain(text: string, delimiter: Delimiter, place: Place): string {
  const start = place.at
  while (place.at < text.length && !isEnd(text[place.at], delimiter)) place.at += 1
  return text.slice(start, place.at)
}

const isEnd = (sign: string | undefined, delimiter: Delimiter) =>
  sign === delimiter || sign === '\n' || sign === '\r'

function readQuoted(text: string, place: Place): string {
  const { line } = place
  let cell = ''
  place.at += 1
  for (;;) {
    const end = text.indexOf('"', place.at)
    if (end < 0) throw new CsvFault(line, 'has a quote that is never closed')
    const part = text.slice(place.at, end)
    place.line += part.split('\n').length - 1
    cell += part
    place.at = end + 1
    if (text[place.at] !== '"') return cell
    cell += '"'
    place.at += 1
  }
}

/** The rows as CSV, with quotes where cells need them. */
export const writeCsv = (rows: Iterable<readonly string[]>, delimiter: Delimiter): string =>
  Array.from(rows, (cells) => `${cells.map((cell) => quoted(cell)).join(delimiter)}\r\n`).join('')

const quoted = (cell: string): string =>
  /["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
