/** Reads the cells of a spreadsheet of campaigns. Pure. */

import { type Fault, fault } from '../../../problems/fault.ts'
import type { CsvRow } from '../../../query/read-csv.ts'
import { unreadableAmount } from '../../../values/money.ts'
import { readTime } from '../../../values/times.ts'
import { columns as exported } from '../../campaigns/list/export.ts'

/** A row that is read: the campaign, if it names one, and the fields that it sets. */
export type CampaignRow = {
  id: string | null
  version: number | null
  body: Record<string, unknown>
}

/** The most cells of a row, and the most items of a list in a cell. */
export const maxItems = 200

const amounts = ['daily_budget', 'lifetime_budget']
const times = ['start_at', 'end_at']
const texts = [
  ...['external_id', 'name', 'objective', 'profile_id', ...amounts],
  ...['currency', ...times, 'time_zone', 'notes', 'template_id'],
  // Refused if it differs: it changes by actions only.
  'status',
]
const json = ['schedule', 'labels', 'metadata', 'target']
const known = [
  ...new Set([...exported.map((name) => name.replaceAll('.', '_')), ...texts, ...json]),
]

type Unknown = { name: string; known: readonly string[] }

/** The columns in their order, and those that no export has. */
export function columnsIn(header: readonly string[]): {
  columns: readonly string[]
  unknown: Unknown[]
} {
  const columns = header.map((name) => name.trim())
  const strange = columns.filter((name) => !known.includes(name))
  return { columns, unknown: [...new Set(strange)].map((name) => ({ name, known })) }
}

/** An export marks text that a spreadsheet would run with an apostrophe. */
const marked = /^'(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/

type ReadRow = { row: CampaignRow; faults: Fault[] }

/** A blank cell leaves a field as it is, `[]` clears it; columns that are never written are skipped. */
export function rowFrom(columns: readonly string[], { cells, isBroken }: CsvRow): ReadRow {
  const row: CampaignRow = { id: null, version: null, body: {} }
  const faults: Fault[] = []
  const filled = new Set<string>()
  if (isBroken) faults.push(fault('', 'invalid_format', 'has a quote that does not match'))
  if (cells.length > columns.length) {
    faults.push(fault('', 'too_many_items', 'has more cells than there are columns'))
  }
  for (const [at, column] of columns.entries()) {
    const given = cells[at] ?? ''
    const cell = marked.test(given) ? given.slice(1) : given
    if (cell.trim() === '') continue
    const found = filled.has(column) ? filledTwice(column) : readCell(row, column, cell)
    filled.add(column)
    if (found) faults.push(found)
  }
  return { row, faults }
}

const filledTwice = (column: string): Fault =>
  fault(`/${column}`, 'duplicate_item', 'is filled in two columns of this name')

function readCell(row: CampaignRow, column: string, cell: string): Fault | undefined {
  if (column === 'id') row.id = cell.trim()
  else if (column === 'version') return readVersion(row, cell.trim())
  else if (!isWritten(column)) return undefined
  else if (cell.trim() === '[]') row.body[column] = null
  else if (json.includes(column)) return readJson(row, column, cell)
  else return readText(row, column, column === 'notes' ? cell : cell.trim())
  return undefined
}

function readText(row: CampaignRow, column: string, text: string): Fault | undefined {
  row.body[column] = text
  if (amounts.includes(column)) return unreadableAmount(text, `/${column}`)
  if (!times.includes(column)) return undefined
  const read = readTime(text, `/${column}`)
  return 'fault' in read ? read.fault : undefined
}

const isWritten = (column: string) => texts.includes(column) || json.includes(column)

function readVersion(row: CampaignRow, cell: string): Fault | undefined {
  if (!/^[1-9]\d{0,8}$/.test(cell)) {
    return fault('/version', 'invalid_type', 'must be an integer', { given: cell.slice(0, 40) })
  }
  row.version = Number(cell)
  return undefined
}

function readJson(row: CampaignRow, column: string, cell: string): Fault | undefined {
  const value = parsed(cell)
  if (value === undefined || !isFlat(value)) {
    const given = cell.slice(0, 100)
    return fault(`/${column}`, 'invalid_format', 'must be JSON, as in the export', { given })
  }
  if (itemsOf(value).length > maxItems) {
    const message = `must have at most ${maxItems} items`
    return fault(`/${column}`, 'too_many_items', message, { limit: maxItems })
  }
  row.body[column] = value
  return undefined
}

/** Undefined where it is no JSON. */
function parsed(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}

const itemsOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

/** Lists, and lists of records, are all that fields hold: anything deeper would be walked in vain. */
const isFlat = (value: unknown, depth = 2): boolean =>
  itemsOf(value).length === 0 ||
  (depth > 0 && itemsOf(value).every((inner) => isFlat(inner, depth - 1)))
