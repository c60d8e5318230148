import { CsvFault, type CsvRow, type Delimiter, delimiters, readCsv } from './csv.ts'
import { decode } from './decode.ts'
import { type Columns, lackingIn } from './fields.ts'
import { columnsIn, headerAt, networkOf } from './header.ts'
import type { Network } from './presets.ts'

/** A file of results whose header is found; its columns are the best guess by their names. */
export type ResultsFile = {
  readonly text: string
  readonly encoding: string
  readonly delimiter: Delimiter
  /** The network whose export it looks like. */
  readonly network: Network | null
  readonly header: CsvRow
  /** Rows above the header. */
  readonly above: readonly CsvRow[]
  /** Lines above the header. */
  readonly titleLines: number
  readonly rows: readonly CsvRow[]
  readonly columns: Columns
}

/** The file cannot be read as a table. */
export class ResultsFileFault extends Error {
  override readonly name = 'ResultsFileFault'
}

type OpenOptions = {
  /** The line of the header, from 1; else it is looked for. */
  headerLine?: number | undefined
  network?: Network | undefined
  /** Names of columns that the header has. */
  names?: readonly string[] | undefined
}

/** Reads a file in any of the ways in which networks and spreadsheets write tables. */
export function openResults(bytes: Uint8Array, options: OpenOptions = {}): ResultsFile {
  const { text, encoding } = decode(bytes)
  const delimiter = delimiterOf(text, options)
  const rows = rowsOf(text, delimiter)
  const at = placeOf(rows, options)
  const header = rows[at]
  if (!header || rows.length === at + 1) throw new ResultsFileFault('The file has no rows.')
  const network = options.network ?? networkOf(header.cells)
  return {
    text,
    encoding,
    delimiter,
    network,
    header,
    above: rows.slice(0, at),
    titleLines: header.line - 1,
    rows: rows.slice(at + 1),
    columns: columnsIn(header.cells, network),
  }
}

function rowsOf(text: string, delimiter: Delimiter): CsvRow[] {
  try {
    return readCsv(text, delimiter)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    throw new ResultsFileFault(`Line ${error.line} ${error.message}.`)
  }
}

function placeOf(rows: readonly CsvRow[], { headerLine, names }: OpenOptions): number {
  if (headerLine === undefined) return headerAt(rows, names)
  const at = rows.findIndex(({ line }) => line === headerLine)
  if (at >= 0) return at
  throw new ResultsFileFault(`The file has no line ${headerLine}.`)
}

const firstRows = 41

/** The sign by which most columns of the header are known, else that of the most cells. */
function delimiterOf(text: string, { names }: OpenOptions): Delimiter {
  const named = /^\ufeff?sep=([,;\t])\r?\n/i.exec(text.slice(0, 10))?.[1]
  const judged = delimiters.map((delimiter) => {
    const rows = firstOf(text, delimiter)
    const { cells = [] } = rows[headerAt(rows, names)] ?? {}
    const known = Object.keys(columnsIn(cells, networkOf(cells))).length
    return { delimiter, known: delimiter === named ? 1_000 : known, width: cells.length }
  })
  judged.sort((one, other) => other.known - one.known || other.width - one.width)
  return judged[0]?.delimiter ?? ','
}

function firstOf(text: string, delimiter: Delimiter): CsvRow[] {
  try {
    return readCsv(text, delimiter, firstRows)
  } catch (error) {
    if (error instanceof CsvFault) return []
    throw error
  }
}

/** The line that looks more like the header than the one that was named; from 1. */
export function likelierHeader({ text, delimiter, header }: ResultsFile): number | null {
  const rows = firstOf(text, delimiter)
  const found = rows[headerAt(rows)]
  if (!found || found.line === header.line) return null
  return lackingIn(columnsIn(found.cells, networkOf(found.cells))).length === 0 ? found.line : null
}
