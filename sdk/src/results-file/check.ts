import type { ResultRow } from '../report.ts'
import { type Decimal, decimalOf } from './amounts.ts'
import { type CampaignFacts, finderOf } from './campaigns.ts'
import type { CsvRow } from './csv.ts'
import { type DateFormat, formatsOf, readDay } from './days.ts'
import { type Columns, type Field, isCount, numbers } from './fields.ts'
import { figuresIn } from './figures.ts'
import type { ResultsFile } from './open.ts'
import { presets } from './presets.ts'
import { withoutRepeated } from './repeated.ts'
import { asideOf, cellAt } from './totals.ts'

/** How a file is to be read; what is null is found out from its cells. */
export type Reading = {
  readonly columns: Columns
  readonly dateFormat: DateFormat | null
  readonly decimal: Decimal | null
  /** Leaves out totals and footers; else they are faults. */
  readonly skipTotals: boolean
}

export type RowFault = {
  readonly line: number
  /** The name of the column; null where the whole row is at fault. */
  readonly column: string | null
  /** The cell as it is. */
  readonly value: string | null
  /** The campaign as the row names it. */
  readonly campaign: string | null
  readonly message: string
  readonly code: FaultCode
}

/** `day` and `amount` read two ways: a format or sign decides. Others are `invalid`, or the service’s. */
export type FaultCode = 'day' | 'amount' | 'total' | 'invalid' | (string & {})

/** A row that can be reported, and its campaign. */
export type Day = {
  readonly line: number
  readonly cells: readonly string[]
  readonly campaign: CampaignFacts
  readonly row: ResultRow
}

export type Skipped = { readonly line: number; readonly text: string }

export type Checked = {
  readonly days: readonly Day[]
  readonly faults: readonly RowFault[]
  readonly skipped: readonly Skipped[]
  /** As the days were read; null where none could be. */
  readonly dateFormat: DateFormat | null
  readonly decimal: Decimal | null
}

/** All rows of a file: those that can be reported, and everything that is wrong with the others. */
export function checkRows(
  file: ResultsFile,
  reading: Reading,
  campaigns: readonly CampaignFacts[],
): Checked {
  const aside = asideIn(file, reading.columns)
  const left = reading.skipTotals ? aside : new Set<CsvRow>()
  const rows = file.rows.filter((row) => !left.has(row))
  const context = contextOf(file, reading, { rows, campaigns })
  const read = rows.map((row) =>
    aside.has(row) ? { faults: [totalFault(row)] } : readRow(row, context),
  )
  const days = read.flatMap((each) => ('day' in each ? [each.day] : []))
  const { unique, faults } = withoutRepeated(days)
  return {
    days: unique,
    faults: byLine([...read.flatMap((each) => ('faults' in each ? each.faults : [])), ...faults]),
    skipped: [...left].map(skippedOf),
    dateFormat: context.dateFormats[0] ?? null,
    decimal: context.decimal,
  }
}

const asideIn = (file: ResultsFile, columns: Columns): ReadonlySet<CsvRow> =>
  new Set(file.rows.filter((row) => asideOf(row, columns) !== null))

/** The rows that are no days of campaigns: totals, and lines of text below them. */
export const asidesOf = (file: ResultsFile, columns: Columns): readonly Skipped[] =>
  [...asideIn(file, columns)].map(skippedOf)

/** The formats that the days of a file can have: several where one must be chosen. */
export function formatsIn(file: ResultsFile, columns: Columns): readonly DateFormat[] {
  const aside = asideIn(file, columns)
  const rows = file.rows.filter((row) => !aside.has(row))
  return datesOf(file, rows.map((row) => cellAt(row, columns.date)).filter(Boolean))
}

const byLine = (faults: RowFault[]) => faults.sort((one, other) => one.line - other.line)

const firstCell = ({ cells }: CsvRow): string =>
  cells.find((cell) => cell.trim() !== '')?.trim() ?? ''

const skippedOf = (row: CsvRow): Skipped => ({ line: row.line, text: firstCell(row).slice(0, 80) })

const totalFault = (row: CsvRow): RowFault => ({
  line: row.line,
  column: null,
  value: firstCell(row),
  campaign: null,
  message: 'looks like a row of totals',
  code: 'total',
})

export type RowContext = {
  columns: Columns
  header: readonly string[]
  /** The first is right; others read some days of the file differently. */
  dateFormats: readonly DateFormat[]
  decimal: Decimal | null
  /**
   * Whether the columns have the names of fields, as programs write them: a point is before
   * decimals.
   */
  isPlain: boolean
  find: ReturnType<typeof finderOf>
}

type Facts = { rows: readonly CsvRow[]; campaigns: readonly CampaignFacts[] }

function contextOf(file: ResultsFile, reading: Reading, { rows, campaigns }: Facts): RowContext {
  const { columns } = reading
  const filled = (at: number | undefined) => rows.map((row) => cellAt(row, at)).filter(Boolean)
  const cellsOf = (isWanted: (field: Field) => boolean) =>
    numbers.filter(isWanted).flatMap((field) => filled(columns[field]))
  return {
    columns,
    header: file.header.cells,
    dateFormats: reading.dateFormat ? [reading.dateFormat] : datesOf(file, filled(columns.date)),
    decimal:
      reading.decimal ??
      decimalOf(
        cellsOf((field) => !isCount(field)),
        cellsOf(isCount),
      ),
    isPlain: file.header.cells[columns.spend ?? -1]?.trim() === 'spend',
    find: finderOf(campaigns),
  }
}

/**
 * The formats in which all days can be read; if there are two, the format of the network decides.
 */
function datesOf({ network }: ResultsFile, cells: readonly string[]): readonly DateFormat[] {
  const found = formatsOf(cells)
  const own = network === null ? undefined : presets[network].dateFormat
  return own !== undefined && found.includes(own) ? [own] : found
}

type ReadRow = { day: Day } | { faults: readonly RowFault[] }

function readRow(row: CsvRow, context: RowContext): ReadRow {
  const { columns, header, find } = context
  const cells = {
    campaign_id: cellAt(row, columns.campaign_id),
    external_id: cellAt(row, columns.external_id),
    campaign_name: cellAt(row, columns.campaign_name),
  }
  const faults: RowFault[] = []
  const name = cells.campaign_name || cells.external_id || cells.campaign_id || null
  const fail = (field: Field, message: string, code: FaultCode = 'invalid') => {
    const at = columns[field]
    const value = at === undefined ? null : (row.cells[at]?.trim() ?? '')
    const column = at === undefined ? null : (header[at]?.trim() ?? field)
    faults.push({ line: row.line, column, value, campaign: name, message, code })
  }
  const found = find(cells)
  if ('message' in found) fail(found.field, found.message)
  const date = dayIn(row, context, fail)
  const currency = 'campaign' in found ? found.campaign.currency : null
  const figures = figuresIn(row, context, { currency, fail })
  if (faults.length > 0 || !('campaign' in found) || !date || figures.spend === undefined) {
    return { faults }
  }
  const { campaign } = found
  const result = { ...figures, campaign_id: campaign.id, date, spend: figures.spend }
  return { day: { line: row.line, cells: row.cells, campaign, row: result } }
}

export type Fail = (field: Field, message: string, code?: FaultCode) => void

function dayIn(row: CsvRow, { columns, dateFormats }: RowContext, fail: Fail): string | undefined {
  const cell = cellAt(row, columns.date)
  if (cell === '') return void fail('date', 'is empty')
  const [first = 'YYYY-MM-DD', ...others] = dateFormats
  const day = readDay(cell, first)
  const other = others.map((format) => readDay(cell, format)).find((each) => each && each !== day)
  if (other !== undefined && day !== undefined) {
    return void fail('date', `reads two ways: ${day} or ${other}`, 'day')
  }
  if (day === undefined) return void fail('date', `is not a day written as ${first}`)
  const end = cellAt(row, columns.end_date)
  const isLonger = end !== '' && readDay(end, first) !== day
  if (isLonger) fail('end_date', 'is another day: export one row for each day')
  return day
}
