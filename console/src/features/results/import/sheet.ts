import {
  type Columns,
  openResults,
  type ResultsFile,
  ResultsFileFault,
} from '@flightdeckhq/sdk/results-file'

export type Sheet = { file: ResultsFile; bytes: Uint8Array; columns: Columns }

const maxBytes = 64 * 1024 * 1024
const maxRows = 50_000

/** The file as a table, or why it is none. */
export function readSheet(bytes: Uint8Array, headerLine?: number): Sheet | { fault: string } {
  if (bytes.length > maxBytes) return { fault: 'It has more than 64 MiB: split it.' }
  try {
    const file = openResults(bytes, { headerLine })
    if (file.rows.length > maxRows) return { fault: 'It has more than 50,000 rows: split it.' }
    return { file, bytes, columns: asShown(file.columns) }
  } catch (error) {
    if (error instanceof ResultsFileFault) return { fault: error.message }
    throw error
  }
}

/** Either id is one column here: an id of ours is recognized wherever it stands. */
function asShown({ campaign_id, ...columns }: Columns): Columns {
  return campaign_id === undefined ? columns : { ...columns, external_id: campaign_id }
}

/** The next column to choose before anything can be checked; null if none is missing. */
export function missingIn({ external_id, campaign_name, date, spend }: Columns): string | null {
  if (external_id === undefined && campaign_name === undefined) {
    return 'Choose the column that says which campaign it is.'
  }
  if (date === undefined) return 'Choose the column of the day.'
  return spend === undefined ? 'Choose the column of the spend.' : null
}
