import type { Body } from '@flightdeckhq/sdk'
import { decimalIn, doubtOf, minorIn, typedMinor } from '../../../data/typed.ts'
import type { Schema } from '../../../flightdeck.ts'

export type BudgetMonth = Schema<'BudgetMonth'>

/** The cells of a plan by month and column, as they are typed. */
export type PlanValues = Readonly<Record<string, string>>

/** The column that is no currency. */
export const noteColumn = 'note'

export const cellOf = (month: string, column: string): string => `${month} ${column}`

const partsOf = (cell: string): readonly [month: string, column: string] => [
  cell.slice(0, 7),
  cell.slice(8),
]

export const valuesOf = (months: readonly BudgetMonth[]): PlanValues =>
  Object.fromEntries(
    months.flatMap(({ month, amounts, note }) => [
      ...(amounts ?? []).map(
        ({ currency, amount_minor, currency_exponent }) =>
          [cellOf(month, currency), typedMinor(amount_minor, currency_exponent)] as const,
      ),
      [cellOf(month, noteColumn), note ?? ''] as const,
    ]),
  )

/** The currencies that some month has a cell of. */
export const currenciesIn = (values: PlanValues): readonly string[] =>
  [...new Set(Object.keys(values).map((cell) => partsOf(cell)[1]))]
    .filter((column) => column !== noteColumn)
    .sort()

/** The amounts that read two ways, by the pointer of their cell. */
export const doubtsIn = (values: PlanValues): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(values).flatMap(([cell, typed]) => {
      const [, column] = partsOf(cell)
      const doubt = column === noteColumn ? undefined : doubtOf(typed, column)
      return doubt === undefined ? [] : [[`/${cell}`, doubt] as const]
    }),
  )

/** Cells of later months with what this month has in them. */
export function copiedForward(
  values: PlanValues,
  {
    month,
    months,
    currencies,
  }: { month: string; months: readonly string[]; currencies: readonly string[] },
): PlanValues {
  const later = months.filter((each) => each > month)
  return Object.fromEntries(
    later.flatMap((each) =>
      currencies.map((currency) => [cellOf(each, currency), values[cellOf(month, currency)] ?? '']),
    ),
  )
}

/** The sum of a currency; null while some amount does not read as one. */
export function sumOf(
  values: PlanValues,
  months: readonly string[],
  currency: string,
): number | null {
  let sum = 0
  for (const month of months) {
    const typed = values[cellOf(month, currency)] ?? ''
    const minor = typed.trim() === '' ? 0 : minorIn(typed, currency)
    if (minor === null) return null
    sum += minor
  }
  return sum
}

/** The change of a month’s budget; without a body it is taken away. */
export type Step = {
  month: string
  version: number | null
  body: Body<'putClientBudget'> | null
}

/** The months that were edited, each as a whole: the service replaces a month. */
export function stepsOf(
  { values, changes }: { values: PlanValues; changes: Partial<PlanValues> },
  stored: readonly BudgetMonth[],
): readonly Step[] {
  const edited = new Set(Object.keys(changes).map((cell) => partsOf(cell)[0]))
  return [...edited].sort().flatMap((month): Step[] => {
    const version = stored.find((each) => each.month === month)?.version ?? null
    const amounts = amountsOf(values, month)
    const note = values[cellOf(month, noteColumn)]?.trim() || null
    const isEmpty = Object.keys(amounts).length === 0
    if (isEmpty && note === null) return version === null ? [] : [{ month, version, body: null }]
    return [{ month, version, body: { amounts, note } }]
  })
}

const amountsOf = (values: PlanValues, month: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([cell, typed]) => {
      const [of, column] = partsOf(cell)
      if (of !== month || column === noteColumn || typed.trim() === '') return []
      return [[column, decimalIn(typed, column)]]
    }),
  )
