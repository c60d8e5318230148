import { choice } from '../schema/fields.ts'
import { csvOf } from './csv.ts'
import type { Query } from './list.ts'

const formats = ['ndjson', 'csv'] as const
type Format = (typeof formats)[number]

/** The `format` parameter of an export. */
export const formatParameter = choice(formats, {
  default: 'ndjson',
  description: 'File format.',
})

/** Content types of an export. */
export const exportTypes = ['application/x-ndjson', 'text/csv'] as const

export const formatIn = ({ format }: Query): Format => (format === 'csv' ? 'csv' : 'ndjson')

type FileRows<Row> = {
  batches: AsyncIterable<readonly Row[]>
  /**
   * The columns of CSV: fields, and members of fields such as `actor.type`, which becomes
   * `actor_type`.
   */
  columns: readonly string[]
}

/** A file of rows, written while they are read. */
export function fileOf<Row>(
  format: Format,
  { batches, columns }: FileRows<Row>,
): { contentType: string; chunks: AsyncIterable<string> } {
  if (format === 'ndjson') {
    const contentType = 'application/x-ndjson; charset=utf-8'
    return { contentType, chunks: chunksOf(batches, jsonLines, '') }
  }
  const named = columns.map((key) => ({ key, header: key.replaceAll('.', '_') }))
  const write = (rows: readonly Row[]) => csvOf(rows, named)
  const header = csvOf([named.map(({ header }) => header)])
  const contentType = 'text/csv; charset=utf-8; header=present'
  return { contentType, chunks: chunksOf(batches, write, header) }
}

const jsonLines = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

async function* chunksOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  write: (rows: readonly Row[]) => string,
  header: string,
): AsyncGenerator<string> {
  if (header) yield header
  for await (const rows of batches) {
    if (rows.length > 0) yield write(rows)
  }
}
