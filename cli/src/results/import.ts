import { readFile, stat, writeFile } from 'node:fs/promises'
import {
  type Columns,
  openResults,
  type ResultsFile,
  ResultsFileFault,
  rejectedCsv,
  storeResults,
  type Trial,
  tryResults,
} from '@flightdeckhq/sdk/results-file'
import type { Command } from 'commander'
import { reasonOf } from '../output/problem.ts'
import { columnsOf } from './columns.ts'
import { type ImportOptions, type ImportSettings, settingsIn } from './settings.ts'
import { type Imported, namedColumns, shownText } from './show.ts'

/** Reports the days of a file, and prints what became of the rows. */
export async function importResults(
  command: Command,
  path: string,
  options: ImportOptions,
): Promise<void> {
  const settings = await settingsIn(command, options)
  const imported = await resultOf(await open(path, settings), settings)
  process.stdout.write(`${options.json ? JSON.stringify(imported) : shownText(imported)}\n`)
  if (imported.faults.length > 0) process.exitCode = 1
}

/** Tries all rows before the first one is stored. */
async function resultOf(file: ResultsFile, settings: ImportSettings): Promise<Imported> {
  const { pairs, network, dateFormat, decimal, skipTotals, report } = settings
  const { client } = settings.service
  const columns = columnsOf(file, { pairs, hasPreset: network !== undefined })
  const reading = { columns, dateFormat, decimal, skipTotals }
  const trial = await tryResults(client, file, { reading, report })
  if (trial.error !== null) throw trial.error
  const facts = about(file, trial, { columns, isMapped: pairs.length > 0 && !network })
  if (trial.faults.length > 0 && settings.rejected === undefined) return { ...facts, counts: {} }
  if (settings.dryRun) return { ...facts, rejected: await reject(file, trial, settings) }
  const sent = await storeResults(client, report, { file, columns, days: trial.days })
  if (sent.error !== null) throw sent.error
  const faults = [...trial.faults, ...sent.faults]
  const rejected = await reject(file, { faults }, settings)
  return { ...facts, stored: true, counts: sent.counts, faults, rejected }
}

type KnownColumns = { columns: Columns; isMapped: boolean }

const about = (
  { header, network, rows }: ResultsFile,
  trial: Trial,
  { columns, isMapped }: KnownColumns,
): Imported => ({
  rows: rows.length - trial.skipped.length,
  stored: false,
  counts: trial.counts,
  faults: trial.faults,
  header_line: header.line,
  network: isMapped ? null : network,
  columns: namedColumns(columns, header.cells),
  is_mapped: isMapped,
  date_format: trial.dateFormat,
  skipped: trial.skipped,
  rejected: null,
})

const maxBytes = 64 * 1024 * 1024

async function open(
  path: string,
  { network, headerLine, pairs }: ImportSettings,
): Promise<ResultsFile> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${reasonOf(error)}`)
  })
  if (size > maxBytes) throw new Error(`${path} has more than 64 MiB: split it.`)
  const names = pairs.map(([name]) => name)
  try {
    return openResults(await readFile(path), { network, headerLine, names })
  } catch (error) {
    const reason = error instanceof ResultsFileFault ? error.message : undefined
    throw new Error(`${path}${reason ? `: ${reason}` : ` cannot be read: ${reasonOf(error)}`}`)
  }
}

/** Writes the rows with faults where `--rejected` says; null where there are none. */
async function reject(
  file: ResultsFile,
  { faults }: Pick<Trial, 'faults'>,
  { rejected }: ImportSettings,
): Promise<string | null> {
  if (rejected === undefined || faults.length === 0) return null
  try {
    await writeFile(rejected, rejectedCsv(file, faults))
    return rejected
  } catch (error) {
    throw new Error(`${rejected} cannot be written: ${reasonOf(error)}`)
  }
}
