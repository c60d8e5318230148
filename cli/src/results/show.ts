import {
  type Columns,
  type Counts,
  type Network,
  presets,
  type RowFault,
  type Skipped,
} from '@flightdeckhq/sdk/results-file'

/** The result of importing a file. */
export type Imported = {
  rows: number
  stored: boolean
  counts: Counts
  faults: readonly RowFault[]
  header_line: number
  network: Network | null
  /** The name of the column of each field. */
  columns: Readonly<Record<string, string>>
  /** Whether `--map` names them. */
  is_mapped: boolean
  date_format: string | null
  skipped: readonly Skipped[]
  /** The file with the rows that have faults. */
  rejected: string | null
}

export const namedColumns = (columns: Columns, header: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(columns).map(([field, at]) => [field, header[at]?.trim() ?? '']),
  )

export const shownText = (imported: Imported): string =>
  [...notesOf(imported), ...faultLines(imported), ...hintsOf(imported), sentenceOf(imported)].join(
    '\n',
  )

const mostShown = 50

function notesOf(imported: Imported): string[] {
  const { header_line, network, columns, is_mapped, date_format, skipped } = imported
  const titles = header_line - 1
  const lines = titles === 1 ? '1 title line' : `${titles} title lines`
  const foreign = Object.entries(columns).filter(([field, name]) => field !== name)
  const as = foreign.map(([field, name]) => `${name} as ${field}`).join(', ')
  const looks = network === null ? [] : [`It looks like an export of ${presets[network].name}.`]
  const shown = skipped.slice(0, mostShown).map(({ line, text }) => `line ${line} skipped: ${text}`)
  const rest = skipped.length - shown.length
  return [
    ...(titles > 0 ? [`Header found on line ${header_line}; ${lines} skipped.`] : []),
    ...looks,
    ...(network !== null && presets[network].note ? [presets[network].note] : []),
    ...(as === '' || is_mapped ? [] : [`Columns: ${as}.`]),
    ...(date_format === null || date_format === 'YYYY-MM-DD'
      ? []
      : [`Days are read as ${date_format}.`]),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more lines skipped`] : []),
  ]
}

function faultLines({ faults }: Imported): string[] {
  const shown = faults.slice(0, mostShown).map((fault) => {
    const { line, column, value, campaign, message } = fault
    const place = column === null ? `line ${line}` : `line ${line}, ${column}`
    const cell = value === null || value === '' ? '' : `: "${value.slice(0, 40)}"`
    const of = campaign === null || campaign === value ? '' : ` (${campaign.slice(0, 80)})`
    return `${place}: ${message}${cell}${of}`
  })
  const rest = faults.length - shown.length
  return rest > 0 ? [...shown, `and ${rest} more`] : shown
}

const hints: Readonly<Record<string, string>> = {
  amount: 'Say how numbers are written: --decimal . or --decimal ,',
  day: 'Say how days are written, such as --date-format DD/MM/YYYY',
  total: 'Rows of totals are left out with --skip-totals',
  row_final: 'Final days are corrected with --restate',
}

const hintsOf = ({ faults }: Imported): string[] => {
  const codes = new Set(faults.map(({ code }) => code))
  return Object.entries(hints).flatMap(([code, hint]) => (codes.has(code) ? [hint] : []))
}

const outcomes: Readonly<Record<string, string>> = {
  created: 'new',
  updated: 'updated',
  unchanged: 'unchanged',
  ignored_older: 'older than what is stored',
  failed: 'failed',
}

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

function sentenceOf({ rows, stored, counts, faults, rejected }: Imported): string {
  const sums = Object.entries(counts).map(([outcome, count]) => `${count} ${outcomes[outcome]}`)
  const bad = new Set(faults.map(({ line }) => line)).size
  const left = rejected === null || bad === 0 ? '' : ` ${rowsText(bad)} written to ${rejected}.`
  if (stored) return `${rowsText(rows - bad)}: ${sums.join(', ') || 'nothing stored'}.${left}`
  if (faults.length === 0) {
    return `Nothing is stored: of ${rowsText(rows)}, ${sums.join(', ')} would be.`
  }
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  const rest = rows - bad
  const others = rest > 0 ? ` --rejected <file> would store the other ${rest}.` : ''
  return `Nothing is stored: ${count} in ${rowsText(rows)}.${rejected === null ? others : left}`
}
