/** The rows of a spreadsheet's file, read once: for its cost, and for what they say. */

import { setImmediate } from 'node:timers/promises'
import { type Fault, fault } from '../../../problems/fault.ts'
import { invalid, maxFaults } from '../../../problems/problem.ts'
import { type CsvExcess, type CsvText, readCsv } from '../../../query/read-csv.ts'
import { nearestName } from '../../../values/nearest-name.ts'
import { memberOf } from '../../../values/objects.ts'
import { costOf } from '../operations/read.ts'
import { type CampaignRow, columnsIn, maxItems, rowFrom } from './cells.ts'

const maxRows = 1_000
const maxCellBytes = 64 * 1024

/** One more than the header and its rows: so that too many are known. */
const bounds = { rows: maxRows + 2, cells: maxItems, cellBytes: maxCellBytes }

const readings = new WeakMap<object, Promise<CsvText>>()

function readingOf(body: { csv: string }): Promise<CsvText> {
  const known = readings.get(body)
  if (known) return known
  const made = readCsv(body.csv, bounds)
  readings.set(body, made)
  return made
}

/** By its rows, without the header. Runs on an unchecked body; one that is refused costs its bytes. */
export async function costOfCsv(body: unknown): Promise<number> {
  if (!hasText(body)) return 1
  const { rows, excess } = await readingOf(body)
  return excess ? 1 : costOf(Math.min(rows.length - 1, maxRows))
}

const hasText = (body: unknown): body is { csv: string } =>
  typeof memberOf(body, 'csv') === 'string'

/** Throws with every fault of the file; what is beyond its bounds is refused before anything else. */
export async function rowsIn(body: { csv: string }): Promise<CampaignRow[]> {
  const { rows: read, excess } = await readingOf(body)
  const [header, ...lines] = read
  const { columns, unknown } = columnsIn(header?.cells ?? [])
  if (excess) throw invalid([excessFault(excess, columns)])
  const faults = [...unknown.slice(0, maxFaults).map(unknownColumn), ...countFaults(lines.length)]
  const rows: CampaignRow[] = []
  for (const [index, line] of lines.entries()) {
    if (faults.length >= maxFaults) break
    // Yields to other requests.
    if (index % 50 === 49) await setImmediate()
    const found = rowFrom(columns, line)
    faults.push(...found.faults.map((one) => ({ ...one, pointer: `/rows/${index}${one.pointer}` })))
    rows.push(found.row)
  }
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults))
  return rows
}

/** In the header, which is row 0 of what was read, or at a row and its column. */
function excessFault({ row, cell }: CsvExcess, columns: readonly string[]): Fault {
  const place = row === 0 ? '/columns' : `/rows/${row - 1}`
  if (cell === null) {
    return fault(place, 'too_many_items', `must have at most ${maxItems} cells`, {
      limit: maxItems,
    })
  }
  const column = columns[cell]
  const pointer = row === 0 || column === undefined ? place : `${place}/${column}`
  return fault(pointer, 'too_long', 'must have at most 64 KiB in a cell', { limit: maxCellBytes })
}

const countFaults = (rows: number): Fault[] => [
  ...(rows > maxRows
    ? [fault('/rows', 'too_many_items', `must have at most ${maxRows}`, { limit: maxRows })]
    : []),
  ...(rows === 0 ? [fault('/rows', 'too_short', 'must have a row', { limit: 1 })] : []),
]

function unknownColumn({ name, known }: { name: string; known: readonly string[] }): Fault {
  const nearest = nearestName(name, known)
  const hint = nearest ? `; did you mean "${nearest}"?` : ''
  return fault(`/columns/${name.slice(0, 64)}`, 'unknown_field', `is not a known column${hint}`)
}
