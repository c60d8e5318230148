import type { RowFault } from './check.ts'
import { writeCsv } from './csv.ts'
import type { ResultsFile } from './open.ts'

const reasonColumn = 'Reason'

/**
 * The rows with faults as a file of the same form, with the reason in a last column. It can be
 * imported as it is once it is mended: the column is not read.
 */
export function rejectedCsv(file: ResultsFile, faults: readonly RowFault[]): string {
  const { text, delimiter, header, rows } = file
  const reasons = Map.groupBy(faults, ({ line }) => line)
  const own = header.cells.findIndex((name) => name.trim() === reasonColumn)
  const at = own < 0 ? header.cells.length : own
  const refused = rows.filter(({ line }) => reasons.has(line))
  const table = [
    withCell(header.cells, at, reasonColumn),
    ...refused.map(({ cells, line }) => withCell(cells, at, reasonOf(reasons.get(line) ?? []))),
  ]
  const titles = text.slice(0, header.start).replace(/^\ufeff/, '')
  // Spreadsheets take a file without the mark for one of another encoding.
  return `\ufeff${titles}${writeCsv(table, delimiter)}`
}

const withCell = (cells: readonly string[], at: number, text: string): string[] =>
  Array.from({ length: Math.max(cells.length, at + 1) }, (_, place) =>
    place === at ? text : (cells[place] ?? ''),
  )

const reasonOf = (faults: readonly RowFault[]): string =>
  faults
    .map(({ column, message }) => (column === null ? message : `${column} ${message}`))
    .join('; ')
