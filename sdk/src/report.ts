import { chunksOf } from './bulk.ts'
import type { Flightdeck } from './client.ts'
import type { Body, Result } from './operation-types.ts'
import type { WriteOptions } from './transport/options.ts'

type Report = Body<'reportResults'>
export type ResultRow = Report['rows'][number]

/** The outcome of one row; `index` is its place in the whole list. */
export type RowOutcome = Result<'reportResults'>['results'][number]

const maxRows = 1_000

type ReportOptions = Omit<WriteOptions, 'idempotencyKey' | 'ifMatch'> & {
  /** Only answers what would become of each row. */
  dryRun?: boolean
}

/**
 * Any number of rows of one report, 1,000 a request, each of which succeeds or fails by itself. A
 * report may be repeated after an error: what is stored already is `unchanged`.
 */
export async function* reportAll(
  { results }: Pick<Flightdeck, 'results'>,
  report: Omit<Report, 'rows'>,
  rows: Iterable<ResultRow>,
  { dryRun = false, ...options }: ReportOptions = {},
): AsyncGenerator<RowOutcome> {
  let sent = 0
  for (const chunk of chunksOf(rows, maxRows)) {
    const call = results.report({ ...report, rows: chunk }, options)
    const reply = await (dryRun ? call.dryRun() : call)
    for (const outcome of reply.results) yield { ...outcome, index: outcome.index + sent }
    sent += chunk.length
  }
}
