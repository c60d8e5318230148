import { isDeepStrictEqual } from 'node:util'

/** A representation whose fields are not known here. */
export type Fields = Readonly<Record<string, unknown>>

export type Difference<Shown = Fields> = {
  field: keyof Shown & string
  before: Shown[keyof Shown & string]
  after: Shown[keyof Shown & string]
}

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
export function differences(before: Fields | null, after: Fields | null): Difference[] {
  const [old, current] = [before ?? {}, after ?? {}]
  const fields = new Set([...Object.keys(old), ...Object.keys(current)])
  return [...fields]
    .filter((field) => !derived.has(field))
    .map((field) => ({ field, before: old[field] ?? null, after: current[field] ?? null }))
    .filter(({ before, after }) => before !== after && !isDeepStrictEqual(before, after))
}

/** Sets the fields to what they were before these changes. */
export function undo<Shown>(fields: Partial<Shown>, changes: readonly Difference<Shown>[]): void {
  for (const { field, before } of changes) fields[field] = before
}
