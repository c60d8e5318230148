import stringWidth from 'string-width'
import { clean, cut } from './clean.ts'

type Row = Readonly<Record<string, unknown>>

/** Members worth a column, the most telling first; those that a list does not have are left out. */
const telling = [
  ...['name', 'title', 'email', 'url', 'type', 'action', 'resource', 'code', 'month'],
  ...['source', 'date', 'status', 'state', 'outcome', 'role', 'platform', 'client', 'objective'],
  ...['currency', 'daily_budget', 'lifetime_budget', 'spend', 'conversions', 'cpa', 'roas'],
  ...['spent_minor', 'target_minor', 'pacing_index', 'start_at', 'end_at', 'occurred_at'],
  'created_at',
]

const isScalar = (value: unknown) => value === null || typeof value !== 'object'

/** The columns of a table: those asked for, else the id and the most telling of the rest. */
function columnsOf(rows: readonly Row[], asked: readonly string[] = []): string[] {
  const [first] = rows
  if (!first) return []
  if (asked.length > 0) return [...new Set(['id', ...asked])].filter((name) => name in first)
  const found = telling.filter((name) => name in first && isScalar(first[name]))
  const chosen =
    found.length > 0 ? found : Object.keys(first).filter((name) => isScalar(first[name]))
  const ids = ['id', 'campaign_id', 'deployment_id'].filter((name) => name in first).slice(0, 1)
  return [...ids, ...chosen.filter((name) => name !== 'id')].slice(0, 9)
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return clean(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** A table on a terminal; elsewhere a line for each row, its cells parted by tabs. */
export function printRows(rows: readonly Row[], asked: readonly string[]): void {
  const columns = columnsOf(rows, asked)
  const cells = rows.map((row) => columns.map((name) => cellText(row[name])))
  const isTerminal = process.stdout.isTTY === true
  if (rows.length === 0) {
    if (isTerminal) process.stderr.write('Nothing is found.\n')
    return
  }
  const lines = isTerminal
    ? table(columns, cells, process.stdout.columns || 80)
    : cells.map((row) => row.join('\t'))
  process.stdout.write(`${lines.join('\n')}\n`)
}

const gap = '  '
const widest = 40

function table(columns: readonly string[], cells: readonly string[][], room: number): string[] {
  const head = columns.map((name) => name.toUpperCase().replaceAll('_', ' '))
  const short = [head, ...cells].map((row) =>
    row.map((text, at) => (at === 0 ? text : cut(text, widest))),
  )
  const widths = columns.map((_, at) => Math.max(...short.map((row) => stringWidth(row[at] ?? ''))))
  const shown = fitting(widths, room)
  return short.map((row) =>
    row
      .slice(0, shown)
      .map((text, at) => text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - stringWidth(text))))
      .join(gap)
      .trimEnd(),
  )
}

/** How many of the columns fit the terminal, two at least. */
function fitting(widths: readonly number[], room: number): number {
  let used = 0
  for (const [at, width] of widths.entries()) {
    used += width + (at > 0 ? gap.length : 0)
    if (used > room && at >= 2) return at
  }
  return widths.length
}

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

/** An answer that is no list: as JSON, or its members in two columns. */
export function printObject(answer: unknown, { isJson }: { isJson: boolean }): void {
  if (answer === undefined || answer === null || answer === '') return
  if (typeof answer === 'string') process.stdout.write(answer)
  else if (isJson) printJson(answer)
  else if (isRows(answer)) printRows(answer.data, [])
  else printMembers(answer as Row)
}

const isRows = (answer: unknown): answer is { data: Row[] } => {
  const { data } = answer as { data?: unknown }
  return Array.isArray(data) && data.every((row) => typeof row === 'object')
}

function printMembers(answer: Row): void {
  const pairs = Object.entries(answer).map(([name, value]) => [name, cellText(value)] as const)
  const width = Math.max(...pairs.map(([name]) => name.length))
  const isTerminal = process.stdout.isTTY === true
  const lines = pairs.map(([name, text]) =>
    isTerminal ? `${name.padEnd(width)}${gap}${text}` : `${name}\t${text}`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Values as a line of CSV; what a spreadsheet would run as a formula is kept from it. */
export function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text =
      value === null || value === undefined
        ? ''
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  })
  return `${cells.join(',')}\n`
}
