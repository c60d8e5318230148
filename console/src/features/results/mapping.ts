import type { Body } from '@flightdeckhq/sdk'
import { columnReader, type Reading } from '../../data/amount.ts'
import { rowInFile } from '../../data/csv.ts'
import { words } from '../../ui/status.tsx'
import type { Fault } from './importing.ts'

/** Columns of a file by what they are here. */

export const targets = [
  { name: 'external_id', label: 'Campaign’s external id', hints: ['external', 'campaign id'] },
  { name: 'campaign_id', label: 'Campaign’s id here', hints: ['flightdeck'] },
  { name: 'date', label: 'Day', hints: ['date', 'day'] },
  { name: 'spend', label: 'Spend', hints: ['spend', 'cost', 'amount spent'] },
  { name: 'impressions', label: 'Impressions', hints: ['impr'] },
  { name: 'clicks', label: 'Clicks', hints: ['click'] },
  { name: 'conversions', label: 'Conversions', hints: ['conversions', 'results'] },
  { name: 'conversion_value', label: 'Conversion value', hints: ['value', 'revenue'] },
] as const

export type Target = (typeof targets)[number]['name']

/** The number of the column for each; those that are left out are not imported. */
export type Mapping = Readonly<Partial<Record<Target, number>>>

type Row = Body<'reportResults'>['rows'][number]

/** The best guess by the names in the first row; a person may change it. */
export function guess(header: readonly string[]): Mapping {
  const names = header.map((name) => name.toLowerCase().trim())
  const taken = new Set<number>()
  const found = targets.flatMap(({ name, hints }) => {
    const exact = names.indexOf(name)
    const at =
      exact >= 0
        ? exact
        : names.findIndex((each, at) => !taken.has(at) && hints.some((hint) => each.includes(hint)))
    if (at < 0) return []
    taken.add(at)
    return [[name, at] as const]
  })
  return Object.fromEntries(found)
}

/** What is missing before anything can be checked; null where it is complete. */
export function missingIn(mapping: Mapping): string | null {
  if (mapping.external_id === undefined && mapping.campaign_id === undefined)
    return 'Choose the column that says which campaign it is.'
  if (mapping.date === undefined) return 'Choose the column of the day.'
  return mapping.spend === undefined ? 'Choose the column of the spend.' : null
}

/** Cells as the API takes them; other texts and amounts are left for the service to judge. */
export function rowsOf(cells: Cells, mapping: Mapping): Row[] {
  const read = amountReaders(cells, mapping)
  return cells.map((row) => {
    const text = (name: Target) => textIn(row, mapping, name) || undefined
    const amount = (name: AmountTarget) => {
      const typed = text(name)
      return typed && sentOf(read[name](typed), typed)
    }
    const count = (name: Target) => countOf(text(name) ?? '')
    return {
      external_id: text('external_id'),
      campaign_id: text('campaign_id'),
      date: text('date') ?? '',
      spend: amount('spend') ?? '',
      impressions: count('impressions'),
      clicks: count('clicks'),
      conversions: amount('conversions'),
      conversion_value: amount('conversion_value'),
    }
  })
}

const amountTargets = ['spend', 'conversions', 'conversion_value'] as const
type AmountTarget = (typeof amountTargets)[number]

const amountReaders = (cells: Cells, mapping: Mapping) => {
  const readerOf = (name: AmountTarget) =>
    columnReader(cells.map((row) => textIn(row, mapping, name)))
  return {
    spend: readerOf('spend'),
    conversions: readerOf('conversions'),
    conversion_value: readerOf('conversion_value'),
  }
}

/** Only what reads one way is sent; what is no amount is the service's to refuse. */
const sentOf = (reading: Reading, typed: string): string =>
  reading.kind === 'amount' ? reading.decimal : typed

type Cells = readonly (readonly string[])[]

const textIn = (row: readonly string[], mapping: Mapping, name: Target) =>
  row[mapping[name] ?? -1]?.trim() ?? ''

/** Undefined unless it is a whole number. Separators of groups of three digits are left out. */
function countOf(text: string): number | undefined {
  const digits = text.replaceAll(/[\s.,'’](?=\d{3}(?!\d))/g, '')
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

/** The cells that cannot be sent as numbers, or that no report goes without. */
export function faultsIn(cells: Cells, mapping: Mapping): Fault[] {
  const read = amountReaders(cells, mapping)
  return cells.flatMap((row, at) => {
    const textOf = (name: Target) => textIn(row, mapping, name)
    const texts = [
      ...(textOf('spend') === '' ? ['Spend is empty.'] : []),
      ...(['impressions', 'clicks'] as const).flatMap((name) => countFault(name, textOf(name))),
      ...amountTargets.flatMap((name) => amountFault(name, read[name](textOf(name)))),
    ]
    return texts.map((text) => ({ row: rowInFile(at), text }))
  })
}

const countFault = (name: Target, text: string): string[] =>
  text === '' || countOf(text) !== undefined
    ? []
    : [`${words(name)} is not a whole number: “${text.slice(0, 40)}”.`]

/** No other cell of the column shows which mark has its decimals. */
const amountFault = (name: Target, reading: Reading): string[] =>
  reading.kind === 'two' ? [`${words(name)} reads two ways: ${reading.decimals.join(' or ')}?`] : []
