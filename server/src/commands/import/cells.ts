import type { ResultRow } from '@flightdeckhq/sdk'
import { isDate } from '../../values/times.ts'
import { UsageError } from '../command.ts'
import type { Column, Field } from './columns.ts'

/** How a file writes days and numbers. */
export type Notation = { readonly date: DateFormat; readonly decimal: '.' | ',' }

export type RowFault = {
  readonly line: number
  readonly column: string | null
  readonly message: string
}

/** Which part of a day comes where, and what is between them. */
type DateFormat = {
  readonly text: string
  readonly parts: readonly string[]
  readonly signs: string
}

const signsOf = (text: string) => text.replaceAll(/\d+/g, '#')

/** `DD.MM.YYYY` and the like. */
export function readDateFormat(text: string): DateFormat {
  const parts = text.match(/YYYY|MM|DD/g) ?? []
  const signs = text.replaceAll(/YYYY|MM|DD/g, '#')
  const isWhole = new Set(parts).size === 3 && parts.length === 3
  if (isWhole && /^#[./ -]#[./ -]#$/.test(signs)) return { text, parts, signs }
  throw new UsageError(`--date-format takes YYYY, MM and DD in any order, not "${text}".`)
}

export function readDecimal(text: string): Notation['decimal'] {
  if (text === '.' || text === ',') return text
  throw new UsageError(`--decimal takes "." or ",", not "${text}".`)
}

type Read<Value> = { readonly value: Value } | { readonly message: string }

/** The row of the report, or what is wrong with its cells. Empty cells are left out. */
export function readCells(
  { line, cells }: { line: number; cells: readonly string[] },
  columns: readonly Column[],
  notation: Notation,
): { row: ResultRow } | { faults: RowFault[] } {
  const faults: RowFault[] = []
  const row: Partial<ResultRow> = {}
  for (const { at, name, field } of columns) {
    const cell = cells[at]?.trim() ?? ''
    const message = cell === '' ? emptyFault(field) : put(row, { field, cell, notation })
    if (message !== undefined) faults.push({ line, column: name, message })
  }
  const { date, spend } = row
  if (date === undefined || spend === undefined) return { faults }
  return faults.length > 0 ? { faults } : { row: { ...row, date, spend } }
}

const emptyFault = (field: Field): string | undefined =>
  needed.includes(field) ? 'is empty' : undefined

type Given = { field: Field; cell: string; notation: Notation }

/** Sets the field, or answers why it cannot. */
function put(row: Partial<ResultRow>, { field, cell, notation }: Given): string | undefined {
  const read = readers[field](cell, notation)
  if ('message' in read) return `${read.message}: "${cell.slice(0, 40)}"`
  Object.assign(row, { [field]: read.value })
  return undefined
}

const needed: readonly Field[] = ['date', 'spend']

const text = (cell: string): Read<string> => ({ value: cell })

function day(cell: string, { date: { text, parts, signs } }: Notation): Read<string> {
  const found = cell.length <= maxDigits && signsOf(cell) === signs ? cell.match(/\d+/g) : null
  const part = (name: string) => found?.[parts.indexOf(name)]?.padStart(2, '0')
  const value = `${part('YYYY')}-${part('MM')}-${part('DD')}`
  return isDate(value) ? { value } : { message: `is not a day written as ${text}` }
}

/** Groups of three digits, as spreadsheets write them. */
const grouped = { '.': /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, ',': /^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ }
const maxDigits = 40

/** As text: no amount passes through binary numbers. */
function decimal(cell: string, notation: Notation): Read<string> {
  const message = 'is not a number'
  if (cell.length > maxDigits) return { message }
  const plain = grouped[notation.decimal].test(cell)
    ? cell.replaceAll(notation.decimal === '.' ? ',' : '.', '')
    : cell
  const value = notation.decimal === ',' ? plain.replace(',', '.') : plain
  return /^-?\d+(?:\.\d+)?$/.test(value) && !(notation.decimal === ',' && plain.includes('.'))
    ? { value: withoutZeros(value) }
    : { message }
}

/** `007.50` → `7.50`, as amounts are written. */
function withoutZeros(value: string): string {
  const sign = value.startsWith('-') ? '-' : ''
  let at = sign.length
  while (value[at] === '0' && /\d/.test(value[at + 1] ?? '')) at += 1
  return `${sign}${value.slice(at)}`
}

function whole(cell: string, notation: Notation): Read<number> {
  const read = decimal(cell, notation)
  if (!('value' in read)) return read
  const value = Number(read.value)
  return Number.isSafeInteger(value) && value >= 0 ? { value } : { message: 'is not a count' }
}

const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, 1: true },
  ...{ false: false, no: false, 0: false },
}

function truth(cell: string): Read<boolean> {
  const value = truths[cell.toLowerCase()]
  return value === undefined ? { message: 'is not true or false' } : { value }
}

const readers: Readonly<
  Record<Field, (cell: string, notation: Notation) => Read<string | number | boolean>>
> = {
  campaign_id: text,
  external_id: text,
  date: day,
  spend: decimal,
  impressions: whole,
  clicks: whole,
  conversions: decimal,
  conversion_value: decimal,
  adjustment: decimal,
  is_final: truth,
}
