/** A row of a CSV file, and the line of the file that it begins in, from 1. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

type Delimiter = ',' | ';' | '\t'

/** RFC 4180, with any line ends; blank lines are left out. Throws a `CsvFault`. */
export function readCsv(text: string, delimiter: Delimiter = delimiterIn(text)): CsvRow[] {
  const rows: CsvRow[] = []
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  const place = { at: 0, line: 1 }
  while (place.at < source.length) {
    const { line } = place
    const cells = readRow(source, delimiter, place)
    if (cells.length > 1 || cells[0] !== '') rows.push({ line, cells })
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

/** The sign that separates most names in the first line. */
function delimiterIn(text: string): Delimiter {
  const [header = ''] = text.split('\n', 1)
  const count = (sign: Delimiter) => header.split(sign).length
  return (['\t', ';'] as const).find((sign) => count(sign) > count(',')) ?? ','
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
