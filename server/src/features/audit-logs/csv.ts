import { type ColumnOption, type Options, stringify } from 'csv-stringify/sync'
import type { AuditLog } from './schema.ts'

const columns = [
  'sequence',
  'id',
  'occurred_at',
  'action',
  'outcome',
  'actor.type',
  'actor.id',
  'actor.name',
  'resource.type',
  'resource.id',
  'resource.name',
  'changes',
  'reason',
  'request.id',
  'request.method',
  'request.path',
  'request.status',
  'request.ip',
  'request.user_agent',
  'prev_hash',
  'hash',
].map((key) => ({ key, header: key.replace('.', '_') }))

/** The library escapes a sign only as the first character; spreadsheets skip white space before it. */
const hidesFormula = /^\s+[=+\-@＝＋－＠]|^[\t\r\n]/

/** RFC 4180, with formulas escaped as text. */
const dialect: Options = {
  record_delimiter: 'windows',
  escape_formulas: true,
  cast: { string: (text) => (hidesFormula.test(text) ? `'${text}` : text) },
  quoted_match: /^\s|\s$|[\r\n]/,
}

export const csvOf = (rows: readonly unknown[], columns?: readonly ColumnOption[]): string =>
  stringify([...rows], columns ? { ...dialect, columns } : dialect)

export const csvHeader = csvOf([columns.map(({ header }) => header)])

export const csvLines = (records: readonly AuditLog[]): string => csvOf(records, columns)
