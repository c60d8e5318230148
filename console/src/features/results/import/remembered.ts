/** How the files of each source were read: kept in this browser, for each organization. */

import {
  type Columns,
  isDateFormat,
  isField,
  type ResultsFile,
} from '@flightdeckhq/sdk/results-file'

export type Remembered = {
  /** Names of columns by field. */
  readonly columns: Readonly<Record<string, string>>
  readonly dateFormat: string | null
  readonly decimal: '.' | ',' | null
}

type BySource = Readonly<Record<string, Remembered>>

const importsKeyOf = (organization: string) => `flightdeck imports ${organization}`
const mostSources = 50

/** Reads the entries. Those of other programs or of an earlier version are left out. */
export function rememberedIn(organization: string): BySource {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(importsKeyOf(organization)) ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(Object.entries(found).filter(([, each]) => isRemembered(each)))
  } catch {
    return {}
  }
}

function isRemembered(each: unknown): each is Remembered {
  if (typeof each !== 'object' || each === null) return false
  if (!('columns' in each && 'dateFormat' in each && 'decimal' in each)) return false
  const { columns, dateFormat, decimal } = each
  if (typeof columns !== 'object' || columns === null) return false
  const isFormat =
    dateFormat === null || (typeof dateFormat === 'string' && isDateFormat(dateFormat))
  const isSign = decimal === null || decimal === '.' || decimal === ','
  return isFormat && isSign && Object.values(columns).every((name) => typeof name === 'string')
}

type Read = Omit<Remembered, 'columns'> & { source: string; file: ResultsFile; columns: Columns }

export function remember(organization: string, { source, file, columns, ...rest }: Read): void {
  const named = Object.entries(columns).map(([field, at]) => [field, nameAt(file, at)])
  const others = Object.entries(rememberedIn(organization)).filter(([name]) => name !== source)
  const all = [
    ...others.slice(1 - mostSources),
    [source, { columns: Object.fromEntries(named), ...rest }],
  ]
  try {
    localStorage.setItem(importsKeyOf(organization), JSON.stringify(Object.fromEntries(all)))
  } catch {
    // A full or closed store forgets.
  }
}

const nameAt = ({ header }: ResultsFile, at: number): string => header.cells[at]?.trim() ?? ''

/** The columns of a file that were chosen for one like it; null where it lacks any of them. */
export function columnsLike({ columns }: Remembered, { header }: ResultsFile): Columns | null {
  const names = header.cells.map((name) => name.trim())
  const found = Object.entries(columns).flatMap(([field, name]) =>
    isField(field) ? [[field, names.indexOf(name)] as const] : [],
  )
  return found.length > 0 && found.every(([, at]) => at >= 0) ? Object.fromEntries(found) : null
}
