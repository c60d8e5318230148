import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Fault } from '../../problems/fault.ts'
import { exponentOf, unsupportedCurrency } from '../../values/money.ts'
import { isTimeZone, unknownTimeZone } from '../../values/times.ts'
import type { ClientChanges } from './schema.ts'

/** The columns that clients of the API control. */
export type NormalizedClient = Omit<
  Row<'clients'>,
  | ('organization_id' | 'id' | 'metadata' | 'month_spending')
  | ('version' | 'created_at' | 'updated_at' | 'created_by' | 'updated_by')
> & { metadata: Record<string, string> }

/** Normalizes a body to row fields, with every fault. */
export function normalize(changes: ClientChanges): {
  normalized: NormalizedClient
  faults: Fault[]
} {
  const { currency = null, time_zone = null } = changes
  const faults: Fault[] = []
  if (currency !== null && exponentOf(currency) === undefined)
    faults.push(unsupportedCurrency('/currency', currency))
  if (time_zone !== null && !isTimeZone(time_zone))
    faults.push(unknownTimeZone('/time_zone', time_zone))
  return { normalized: withDefaults({ ...changes, currency, time_zone }), faults }
}

const withDefaults = (changes: ClientChanges): NormalizedClient => ({
  name: changes.name ?? '',
  currency: changes.currency ?? null,
  time_zone: changes.time_zone ?? null,
  status: changes.status ?? 'active',
  external_id: changes.external_id ?? null,
  labels: changes.labels ?? [],
  metadata: changes.metadata ?? {},
  notes: changes.notes ?? null,
})

/** The columns that clients of the API control: the base that PUT and PATCH merge into. */
export const normalizedFromRow = (row: Row<'clients'>): NormalizedClient => ({
  name: row.name,
  currency: row.currency,
  time_zone: row.time_zone,
  status: row.status,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
})
