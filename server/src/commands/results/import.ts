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
import { errorMessage } from '../../values/errors.ts'
import { action, CommandError } from '../command.ts'
import { asCommandError, clientAt } from '../remote.ts'
import { columnsOf } from './columns.ts'
import { type ImportSettings, settingsIn } from './settings.ts'
import { type Imported, namedColumns, shownText } from './show.ts'

export const resultsImport = action({
  async run(given): Promise<Imported> {
    const settings = settingsIn(given)
    const file = await open(given.text('file'), settings)
    const { pairs, network, dateFormat, decimal, skipTotals, report } = settings
    const columns = columnsOf(file, { pairs, hasPreset: network !== undefined })
    const client = clientAt(settings.url, settings.credential)
    const reading = { columns, dateFormat, decimal, skipTotals }
    // All rows are tried before the first one is stored.
    const trial = await tryResults(client, file, { reading, report }).catch((error: unknown) => {
      throw asCommandError(error, settings.url)
    })
    checkEnd(trial.error, settings)
    const facts = about(file, trial, { columns, isMapped: pairs.length > 0 && !network })
    if (trial.faults.length > 0 && settings.rejected === undefined) return { ...facts, counts: {} }
    if (settings.dryRun) return { ...facts, rejected: await reject(file, trial, settings) }
    const sent = await storeResults(client, report, { file, columns, days: trial.days })
    checkEnd(sent.error, settings)
    const faults = [...trial.faults, ...sent.faults]
    const rejected = await reject(file, { faults }, settings)
    return { ...facts, stored: true, counts: sent.counts, faults, rejected }
  },
  show: shownText,
  exitCode: ({ faults }) => (faults.length > 0 ? 1 : 0),
})

function checkEnd(error: unknown, { url }: ImportSettings): void {
  if (error !== null) throw asCommandError(error, url)
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
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw new CommandError(`${path} has more than 64 MiB: split it.`)
    const names = pairs.map(([name]) => name)
    return openResults(await readFile(path), { network, headerLine, names })
  } catch (error) {
    if (error instanceof ResultsFileFault) throw new CommandError(`${path}: ${error.message}`)
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be read: ${errorMessage(error)}`)
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
    throw new CommandError(`${rejected} cannot be written: ${errorMessage(error)}`)
  }
}
