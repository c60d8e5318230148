import type { Day } from './decide-day.ts'

/** The label of campaigns that have none, in sums by label. */
export const withoutLabel = ''

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

/** The `set` of an upsert that adds to the sums of a table. */
export const addedSums = (table: string): string =>
  sumColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')

/** The labels by which a campaign counts, one by one, as SQL; of a column with labels. */
export const labelsOf = (labels: string): string =>
  `unnest(case when ${labels} = '{}' then array['${withoutLabel}'] else ${labels} end)`

/** The numbers that a stored day adds to its sums. */
function addends(day: Day): number[] {
  const { impressions, clicks, conversions_millionths, conversion_value_minor } = day
  return [
    ...[1, Number(day.is_final), day.spend_minor, day.adjustment_minor],
    ...[impressions ?? 0, Number(impressions !== null), clicks ?? 0, Number(clicks !== null)],
    ...[conversions_millionths ?? 0, Number(conversions_millionths !== null)],
    ...[conversion_value_minor ?? 0, Number(conversion_value_minor !== null)],
  ]
}

function add(sums: number[], day: Day, sign: 1 | -1): void {
  for (const [at, figure] of addends(day).entries()) sums[at] = (sums[at] ?? 0) + sign * figure
}

type SumChange = { readonly before: Day | undefined; readonly stored: Day }

/** By how much the sums of each key move; keys whose sums stay are left out. */
export function differencesBy<Changed extends SumChange>(
  changes: readonly Changed[],
  keyOf: (change: Changed) => readonly string[],
): { key: readonly string[]; sums: readonly number[] }[] {
  const found = new Map<string, { key: readonly string[]; sums: number[] }>()
  for (const change of changes) {
    const key = keyOf(change)
    const name = key.join('\n')
    const entry = found.get(name) ?? { key, sums: sumColumns.map(() => 0) }
    found.set(name, entry)
    add(entry.sums, change.stored, 1)
    if (change.before) add(entry.sums, change.before, -1)
  }
  return [...found.values()].filter(({ sums }) => sums.some((sum) => sum !== 0))
}
