import { isDeepStrictEqual } from 'node:util'

export type Difference = { field: string; before: unknown; after: unknown }

/** Fields that follow from others or change with every write: telling them would say nothing. */
const derived = new Set([
  'id',
  'version',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'available_actions',
  'delivery',
  'campaign_counts',
])

/** Field by field what differs between two representations; null is one that is not there. */
export function differences(before: unknown, after: unknown): Difference[] {
  const was = (before ?? {}) as Record<string, unknown>
  const is = (after ?? {}) as Record<string, unknown>
  const fields = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...fields]
    .filter((field) => !derived.has(field))
    .map((field) => ({ field, before: was[field] ?? null, after: is[field] ?? null }))
    .filter(({ before, after }) => before !== after && !isDeepStrictEqual(before, after))
}
