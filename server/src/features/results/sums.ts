import type { Day } from './decide.ts'

/** The columns of running sums, in the order of `addends`. */
export const sumColumns = [
  'row_count',
  'final_count',
  'spend_minor',
  'adjustment_minor',
  'impressions',
  'impressions_count',
  'clicks',
  'clicks_count',
  'conversions_millionths',
  'conversions_count',
  'conversion_value_minor',
  'conversion_value_count',
] as const

const optional = (figure: number | null): number[] => [figure ?? 0, Number(figure !== null)]

/** What one stored day adds to its sums. */
const addends = (day: Day): number[] => [
  1,
  Number(day.is_final),
  day.spend_minor,
  day.adjustment_minor,
  ...optional(day.impressions),
  ...optional(day.clicks),
  ...optional(day.conversions_millionths),
  ...optional(day.conversion_value_minor),
]

const nothing: readonly number[] = sumColumns.map(() => 0)

type Change = { readonly before: Day | undefined; readonly stored: Day }

const differenceOf = ({ before, stored }: Change): number[] => {
  const old = before ? addends(before) : nothing
  return addends(stored).map((figure, at) => figure - (old[at] ?? 0))
}

/** By how much the sums of each key move; keys whose sums stay are left out. */
export function differencesBy<Changed extends Change>(
  changes: readonly Changed[],
  keyOf: (change: Changed) => readonly string[],
): { key: readonly string[]; sums: readonly number[] }[] {
  const found = new Map<string, { key: readonly string[]; sums: number[] }>()
  for (const change of changes) {
    const key = keyOf(change)
    const name = JSON.stringify(key)
    const entry = found.get(name) ?? { key, sums: [...nothing] }
    const difference = differenceOf(change)
    entry.sums = entry.sums.map((sum, at) => sum + (difference[at] ?? 0))
    found.set(name, entry)
  }
  return [...found.values()].filter(({ sums }) => sums.some((sum) => sum !== 0))
}
