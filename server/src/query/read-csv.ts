/** Reads CSV as RFC 4180 has it, and as spreadsheets write it. */

import { setImmediate } from 'node:timers/promises'

/** A row of cells; `isBroken` where a quote is not closed, or text follows one that is. */
export type CsvRow = { cells: string[]; isBroken: boolean }

/** The most that is read: rows with the header, cells of a row, bytes of a cell. */
export type CsvBounds = { rows: number; cells: number; cellBytes: number }

/** The first row with too many cells, or too long a cell: nothing after it is read. */
export type CsvExcess = { row: number; cell: number | null }

export type CsvText = { rows: CsvRow[]; excess: CsvExcess | null }

const byteOrderMark = '\ufeff'

/** Character codes of line ends and quotes. */
const [lineFeed, carriageReturn, quote] = [10, 13, 34]

const isLineEnd = (code: number) => code === lineFeed || code === carriageReturn

type Reading = { text: string; separator: number; bounds: CsvBounds }

/** After how many characters other requests have their turn. */
const pauseAfter = 256 * 1024

/** One pass over the text, up to its bounds; empty lines are skipped. */
export async function readCsv(given: string, bounds: CsvBounds): Promise<CsvText> {
  const text = given.startsWith(byteOrderMark) ? given.slice(1) : given
  const reading = { text, separator: separatorOf(text, bounds), bounds }
  const rows: CsvRow[] = []
  let pauseAt = pauseAfter
  for (let at = 0; at < text.length && rows.length < bounds.rows; ) {
    if (at >= pauseAt) {
      pauseAt = at + pauseAfter
      await setImmediate()
    }
    if (isLineEnd(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const { row, next, excess } = readRow(reading, at)
    if (excess) return { rows, excess: { row: rows.length, cell: excess.cell } }
    if (!isEmpty(row)) rows.push(row)
    at = next
  }
  return { rows, excess: null }
}

const isEmpty = ({ cells, isBroken }: CsvRow) => cells.length === 1 && cells[0] === '' && !isBroken

/** Some spreadsheets separate by semicolons or tabs: whichever the first line has most of. */
function separatorOf(text: string, { cellBytes }: CsvBounds): number {
  const line = text.slice(0, cellBytes).split(/[\r\n]/, 1)[0] ?? ''
  const countOf = (separator: string) => line.split(separator).length
  const most = [',', ';', '\t'].reduce((one, other) =>
    countOf(other) > countOf(one) ? other : one,
  )
  return most.charCodeAt(0)
}

type RowRead = { row: CsvRow; next: number; excess?: { cell: number | null } }

function readRow(reading: Reading, from: number): RowRead {
  const { text, separator, bounds } = reading
  const row: CsvRow = { cells: [], isBroken: false }
  for (let at = from; ; at += 1) {
    const { cell, end, isBroken } = readCell(reading, at)
    if (Buffer.byteLength(cell) > bounds.cellBytes) {
      return { row, next: end, excess: { cell: row.cells.length } }
    }
    if (row.cells.length === bounds.cells) return { row, next: end, excess: { cell: null } }
    row.cells.push(cell)
    row.isBroken ||= isBroken
    at = end
    if (text.charCodeAt(at) !== separator) return { row, next: at + 1 }
  }
}

type CellRead = { cell: string; end: number; isBroken: boolean }

/** A cell, and where it ends; of one that is too long, just more than is allowed. */
const readCell = (reading: Reading, from: number): CellRead =>
  reading.text.charCodeAt(from) === quote ? readQuoted(reading, from) : readPlain(reading, from)

function readPlain(reading: Reading, from: number): CellRead {
  const end = endOfPlain(reading, from)
  return { cell: reading.text.slice(from, end), end, isBroken: false }
}

function endOfPlain({ text, separator, bounds }: Reading, from: number): number {
  const most = Math.min(text.length, from + bounds.cellBytes + 1)
  for (let at = from; at < most; at += 1) {
    const code = text.charCodeAt(at)
    if (code === separator || isLineEnd(code)) return at
  }
  return most
}

function readQuoted(reading: Reading, from: number): CellRead {
  const { text, bounds } = reading
  // A quote inside is written twice.
  const most = Math.min(text.length, from + 2 * bounds.cellBytes + 2)
  let at = from + 1
  let isDoubled = false
  for (; at < most; at += 1) {
    if (text.charCodeAt(at) !== quote) continue
    if (text.charCodeAt(at + 1) !== quote) break
    isDoubled = true
    at += 1
  }
  const inside = text.slice(from + 1, Math.min(at, most))
  const cell = isDoubled ? inside.replaceAll('""', '"') : inside
  if (at >= most) return { cell, end: most, isBroken: true }
  const end = endOfPlain(reading, at + 1)
  return { cell, end, isBroken: end > at + 1 }
}
