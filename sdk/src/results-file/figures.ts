import type { ResultRow } from '../report.ts'
import { type Decimal, readAmount, readCount } from './amounts.ts'
import type { Fail, FaultCode, RowContext } from './check.ts'
import type { CsvRow } from './csv.ts'
import { isCount, type NumberField, numbers } from './fields.ts'
import { unitOf } from './header.ts'
import { cellAt } from './totals.ts'

type Figures = Partial<Omit<ResultRow, 'campaign_id' | 'external_id' | 'date'>>

/** The currency of the campaign, if one was found. */
type For = { currency: string | null; fail: Fail }

export function figuresIn(row: CsvRow, context: RowContext, about: For): Figures {
  const { columns } = context
  const { currency, fail } = about
  const read = numbers.map((field) => [field, figureIn(row, field, { context, about })] as const)
  if (cellAt(row, columns.spend) === '') fail('spend', 'is empty')
  const code = cellAt(row, columns.currency).toUpperCase()
  const mismatch = mismatchOf([code !== '' && [code]], currency)
  if (mismatch) fail('currency', mismatch)
  const figures = Object.fromEntries(read.filter(([, value]) => value !== undefined))
  return { ...figures, ...finalIn(cellAt(row, columns.is_final), fail) }
}

type Around = { context: RowContext; about: For }

/** Undefined where the cell has no value, or none that can be read. */
function figureIn(
  row: CsvRow,
  field: NumberField,
  { context, about: { currency, fail } }: Around,
): string | number | undefined {
  const { columns, header, decimal } = context
  const at = columns[field]
  const cell = cellAt(row, at)
  if (at === undefined || cell === '') return undefined
  const read = isCount(field) ? countOf(cell, decimal) : amountOf(cell, context)
  if ('message' in read) {
    fail(field, read.message, read.code)
    return undefined
  }
  const unit = unitOf(header[at] ?? '')
  const mismatch = mismatchOf([unit && [unit], read.currencies], currency)
  if (mismatch) fail(field, mismatch)
  return read.value
}

type ReadCell =
  | { value: string | number; currencies: readonly string[] | null }
  | { message: string; code?: FaultCode }

function countOf(cell: string, decimal: Decimal | null): ReadCell {
  const read = readCount(cell, decimal)
  return read ? { ...read, currencies: null } : { message: 'is not a whole number' }
}

function amountOf(cell: string, { decimal, isPlain }: RowContext): ReadCell {
  const amount = readAmount(cell, decimal ?? (isPlain && !cell.includes(',') ? '.' : null))
  if (!('readings' in amount)) return amount
  return { message: `reads two ways: ${amount.readings.join(' or ')}`, code: 'amount' }
}

type Currencies = readonly string[] | false | '' | null

/** Whether a heading, symbol or code says another currency than the campaign has. */
function mismatchOf(given: readonly Currencies[], wanted: string | null): string | undefined {
  if (wanted === null) return undefined
  const other = given.find((each) => each && !each.includes(wanted))
  return other ? `is in ${other.join(' or ')}, and the campaign in ${wanted}` : undefined
}

const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, 1: true },
  ...{ false: false, no: false, 0: false },
}

function finalIn(cell: string, fail: Fail): { is_final?: boolean } {
  const is_final = truths[cell.toLowerCase()]
  if (is_final !== undefined) return { is_final }
  if (cell !== '') fail('is_final', 'is not true or false')
  return {}
}
