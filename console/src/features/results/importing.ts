import { FlightdeckError, type ResultRow, reportAll } from '@flightdeckhq/sdk'
import { rowInFile } from '../../data/csv.ts'
import { flightdeck } from '../../flightdeck.ts'
import { detailOf, faultText } from '../../ui/problem.ts'

type Report = Parameters<typeof reportAll>[1]

/** A row of the file with all that is wrong with it. */
export type RefusedRow = { id: string; row: number; text: string }

export type Imported = {
  refused: readonly RefusedRow[]
  stored: number
  /** Why it ended early. */
  error: unknown
}

export type Fault = { row: number; text: string }
type Outcomes = { faults: readonly Fault[]; seen: number; error: unknown }

export const nothingImported: Imported = { refused: [], stored: 0, error: null }

/** What is wrong before anything is sent. */
export const refusedBy = (faults: readonly Fault[]): Imported => ({
  ...nothingImported,
  refused: byRow(faults),
})

/** Every row is tried before the first one is stored. */
export async function importRows(report: Report, rows: readonly ResultRow[]): Promise<Imported> {
  const tried = await outcomesOf(reportAll(flightdeck, report, rows, { dryRun: true }))
  const invalid = invalidRows(tried)
  const refused = byRow([...tried.faults, ...invalid])
  const error = invalid.length > 0 ? null : tried.error
  if (refused.length > 0 || error !== null) return { refused, stored: 0, error }
  const sent = await outcomesOf(reportAll(flightdeck, report, rows))
  return {
    refused: byRow(sent.faults),
    stored: sent.seen - sent.faults.length,
    error: sent.error,
  }
}

async function outcomesOf(outcomes: ReturnType<typeof reportAll>): Promise<Outcomes> {
  const faults: Fault[] = []
  let seen = 0
  try {
    for await (const { index, outcome, problem } of outcomes) {
      seen += 1
      if (outcome !== 'failed') continue
      const text = problem ? detailOf(problem) : 'It was refused.'
      faults.push({ row: rowInFile(index), text })
    }
  } catch (error) {
    return { faults, seen, error }
  }
  return { faults, seen, error: null }
}

/** An invalid value makes the service refuse the whole request: its rows follow those seen. */
const invalidRows = ({ error, seen }: Outcomes): Fault[] =>
  (error instanceof FlightdeckError ? error.errors : []).flatMap(
    ({ pointer = '', message = '' }) => {
      const index = /^\/rows\/(\d+)/.exec(pointer)?.[1]
      if (index === undefined) return []
      return { row: rowInFile(seen + Number(index)), text: faultText(pointer, message) }
    },
  )

function byRow(faults: readonly Fault[]): RefusedRow[] {
  const rows = Map.groupBy(faults, ({ row }) => row)
  return [...rows].map(([row, found]) => {
    const texts = new Set(found.map(({ text }) => text))
    return { id: `${row}`, row, text: [...texts].join(' ') }
  })
}
