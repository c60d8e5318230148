import type { CsvRow } from './csv.ts'
import type { Columns } from './fields.ts'

/** How networks write that a cell has no value. */
const nothing: readonly string[] = ['', '-', '--', '–', '—']

/** The text of a cell; empty where it has no value. */
export function cellAt({ cells }: Pick<CsvRow, 'cells'>, at: number | undefined): string {
  const text = at === undefined ? '' : (cells[at]?.trim() ?? '')
  return nothing.includes(text) ? '' : text
}

/** The kind of a row that reports no day of a campaign; null for one that may. */
export type Aside = 'total' | 'footer'

const total = /^(grand |sub)?totals?\b/i

/** A row without a day that is called a total, or names no campaign, or is a line of text. */
export function asideOf(row: CsvRow, columns: Columns): Aside | null {
  const day = cellAt(row, columns.date)
  if (day !== '' && !total.test(day)) return isFooter(row) ? 'footer' : null
  const filled = row.cells.filter((cell) => cell.trim() !== '')
  if (filled.some((cell) => total.test(cell.trim()))) return 'total'
  if (isFooter(row)) return 'footer'
  const names = [columns.campaign_id, columns.external_id, columns.campaign_name]
  return names.every((at) => cellAt(row, at) === '') ? 'total' : null
}

/** Such as the line of the copyright below a report. */
function isFooter({ cells }: CsvRow): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  return filled.length === 1 && filled[0] === cells[0] && /[A-Za-z]{3}/.test(filled[0] ?? '')
}
