/** Reads CSV as RFC 4180 has it, and as spreadsheets write it. Pure. */

/** A row of cells; `isBroken` where a quote is not closed, or text follows one that is. */
export type CsvRow = { cells: string[]; isBroken: boolean }

const byteOrderMark = '\ufeff'

/** Some spreadsheets separate by semicolons or tabs: whichever the first line has most of. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]|$/))
  const countOf = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((one, other) => (countOf(other) > countOf(one) ? other : one))
}

/** One pass over the text, for at most `maxRows` rows; empty lines are skipped. */
export function readCsv(given: string, maxRows: number): CsvRow[] {
  const text = given.startsWith(byteOrderMark) ? given.slice(1) : given
  const separator = separatorOf(text)
  const rows: CsvRow[] = []
  let at = 0
  while (at < text.length && rows.length < maxRows) {
    const row: CsvRow = { cells: [], isBroken: false }
    at = readRow(text, at, { separator, row })
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row)
  }
  return rows
}

type Reading = { separator: string; row: CsvRow }

/** Where the next row begins. */
function readRow(text: string, from: number, reading: Reading): number {
  let at = from
  for (;;) {
    at = text[at] === '"' ? readQuoted(text, at, reading) : readPlain(text, at, reading)
    if (text[at] !== reading.separator) break
    at += 1
  }
  if (text[at] === '\r' && text[at + 1] === '\n') return at + 2
  return at + 1
}

const isEnd = (character: string | undefined, separator: string) =>
  character === undefined || character === separator || character === '\r' || character === '\n'

function readPlain(text: string, from: number, { separator, row }: Reading): number {
  let at = from
  while (!isEnd(text[at], separator)) at += 1
  row.cells.push(text.slice(from, at))
  return at
}

function readQuoted(text: string, from: number, { separator, row }: Reading): number {
  let cell = ''
  let at = from + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) {
      row.cells.push(cell + text.slice(at))
      row.isBroken = true
      return text.length
    }
    cell += text.slice(at, end)
    at = end + 1
    if (text[at] !== '"') break
    cell += '"'
    at += 1
  }
  row.cells.push(cell)
  if (isEnd(text[at], separator)) return at
  row.isBroken = true
  while (!isEnd(text[at], separator)) at += 1
  return at
}
