import { isDeepStrictEqual } from 'node:util'

export type Difference = { field: string; before: unknown; after: unknown }

/** Fields that are derived or change with every write: noise in a diff. */
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

/** The fields that differ between two representations; null stands for a missing one. */
export function differences(before: unknown, after: unknown): Difference[] {
  const old = (before ?? {}) as Record<string, unknown>
  const current = (after ?? {}) as Record<string, unknown>
  const fields = new Set([...Object.keys(old), ...Object.keys(current)])
  return [...fields]
    .filter((field) => !derived.has(field))
    .map((field) => ({ field, before: old[field] ?? null, after: current[field] ?? null }))
    .filter(({ before, after }) => before !== after && !isDeepStrictEqual(before, after))
}
