import { readFile, stat } from 'node:fs/promises'
import { type ResultRow, type RowOutcome, reportAll } from '@flightdeckhq/sdk'
import { errorMessage } from '../values/errors.ts'
import { CsvFault, type CsvRow, readCsv } from '../values/read-csv.ts'
import { isDate, readTime } from '../values/times.ts'
import { action, CommandError, type Given, UsageError } from './command.ts'
import {
  type Notation,
  type RowFault,
  readCells,
  readDateFormat,
  readDecimal,
} from './import/cells.ts'
import { type Column, columnsIn } from './import/columns.ts'
import { readAll } from './read.ts'
import { asCommandError, clientAt, credentialIn, urlIn } from './remote.ts'

type Outcome = RowOutcome['outcome']

type Imported = {
  rows: number
  stored: boolean
  counts: Partial<Record<Outcome, number>>
  faults: RowFault[]
}

export const resultsImport = action({
  async run(given): Promise<Imported> {
    const settings = settingsIn(given)
    const { columns, rows } = await readTable(given.text('file'), given.option('map'))
    const checked = checkRows(rows, columns, settings.notation)
    if (checked.faults.length > 0) return refused(rows, checked.faults)
    // All rows are tried before the first one is stored.
    const tried = await report(settings, checked.days, true)
    const faults = faultsOf(tried, rows, columns)
    if (faults.length > 0) return refused(rows, faults)
    if (given.flag('dry-run')) {
      return { rows: rows.length, stored: false, counts: countsOf(tried), faults }
    }
    const outcomes = await report(settings, checked.days, false)
    const late = faultsOf(outcomes, rows, columns)
    return { rows: rows.length, stored: true, counts: countsOf(outcomes), faults: late }
  },
  show: shownText,
  exitCode: ({ faults }) => (faults.length > 0 ? 1 : 0),
})

const refused = (rows: readonly CsvRow[], faults: RowFault[]): Imported => ({
  rows: rows.length,
  stored: false,
  counts: {},
  faults,
})

type Settings = ReturnType<typeof settingsIn>

const settingsIn = (given: Given) =>
  readAll({
    url: () => urlIn(given),
    credential: () => credentialIn(given),
    notation: (): Notation => ({
      date: readDateFormat(given.option('date-format') ?? 'YYYY-MM-DD'),
      decimal: readDecimal(given.option('decimal') ?? '.'),
    }),
    envelope: () => ({
      source: given.text('source'),
      reported_at: timeIn(given),
      complete_through: completeThrough(given),
      restate: given.flag('restate'),
      additional: given.flag('additional'),
    }),
    isFinal: () => given.flag('final'),
  })

function timeIn({ option }: Given): string {
  const text = option('reported-at')
  const read = readTime(text ?? new Date().toISOString(), '')
  if ('time' in read) return read.time
  throw new UsageError(`--reported-at takes a time such as 2026-11-21T09:30:00Z, not "${text}".`)
}

function completeThrough({ option }: Given): string | null {
  const text = option('complete-through')
  if (text === undefined || isDate(text)) return text ?? null
  throw new UsageError(`--complete-through takes a day such as 2026-11-20, not "${text}".`)
}

const maxBytes = 64 * 1024 * 1024

async function readTable(path: string, map: string | undefined) {
  const [header, ...rows] = await readRows(path)
  if (!header || rows.length === 0) throw new CommandError(`${path} has no rows.`)
  return { columns: columnsIn(header.cells, map), rows }
}

async function readRows(path: string): Promise<CsvRow[]> {
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw new CommandError(`${path} has more than 64 MiB: split it.`)
    return readCsv(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof CsvFault) throw new CommandError(`Line ${error.line} ${error.message}.`)
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be read: ${errorMessage(error)}`)
  }
}

function checkRows(rows: readonly CsvRow[], columns: readonly Column[], notation: Notation) {
  const days: ResultRow[] = []
  const faults: RowFault[] = []
  const lines = new Map<string, number>()
  for (const row of rows) {
    const read = readCells(row, columns, notation)
    if ('faults' in read) {
      faults.push(...read.faults)
      continue
    }
    const { campaign_id, external_id, date } = read.row
    const day = JSON.stringify([campaign_id, external_id, date])
    const first = lines.get(day)
    if (first !== undefined) {
      const message = `has the same campaign and day as line ${first}: add them up first`
      faults.push({ line: row.line, column: null, message })
    }
    lines.set(day, row.line)
    days.push(read.row)
  }
  return { days, faults }
}

async function report(
  { url, credential, envelope, isFinal }: Settings,
  days: readonly ResultRow[],
  dryRun: boolean,
): Promise<RowOutcome[]> {
  const rows = isFinal ? days.map((day) => ({ is_final: true, ...day })) : days
  try {
    return await Array.fromAsync(reportAll(clientAt(url, credential), envelope, rows, { dryRun }))
  } catch (error) {
    throw asCommandError(error, url)
  }
}

type RowProblem = { detail: string; errors: { pointer?: string; message: string }[] }

/** What the service refuses, by line and column of the file. */
function faultsOf(
  outcomes: readonly RowOutcome[],
  rows: readonly CsvRow[],
  columns: readonly Column[],
): RowFault[] {
  return outcomes.flatMap(({ index, problem }) => {
    if (!isProblem(problem)) return []
    const line = rows[index]?.line ?? 0
    return problem.errors.map(({ pointer = '', message }) => {
      const field = pointer.split('/')[3]
      const column = columns.find((each) => each.field === field)?.name ?? null
      return { line, column, message: field === undefined ? problem.detail : message }
    })
  })
}

const isProblem = (problem: unknown): problem is RowProblem =>
  typeof problem === 'object' && problem !== null && 'errors' in problem

function countsOf(outcomes: readonly RowOutcome[]): Imported['counts'] {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const maxShown = 50

function shownText({ rows, stored, counts, faults }: Imported): string {
  const shown = faults.slice(0, maxShown).map(({ line, column, message }) => {
    return `line ${line}${column === null ? '' : `, ${column}`}: ${message}`
  })
  const rest = faults.length - shown.length
  const more = rest > 0 ? [`and ${rest} more`] : []
  const sums = Object.entries(counts).map(([outcome, count]) => `${count} ${words[outcome]}`)
  const rowsText = rows === 1 ? '1 row' : `${rows} rows`
  const what = stored ? `${rowsText}: ${sums.join(', ')}.` : `Nothing is stored: ${why()}.`
  function why(): string {
    if (faults.length === 0) return `of ${rowsText}, ${sums.join(', ')} would be`
    return `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${rowsText}`
  }
  return [...shown, ...more, what].join('\n')
}

const words: Readonly<Record<string, string>> = {
  created: 'new',
  updated: 'updated',
  unchanged: 'unchanged',
  ignored_older: 'older than what is stored',
  failed: 'failed',
}
