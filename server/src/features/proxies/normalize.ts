import type { Row } from '../../database/tables/tenant-tables.ts'
import { readHost } from '../../egress/address-policy.ts'
import type { Services } from '../../kernel/context.ts'
import type { Fault } from '../../problems/fault.ts'
import type { ProxyChanges } from './schema.ts'

/** The columns that clients control, without credentials. */
export type NormalizedProxy = ProxyAddress &
  Pick<Row<'proxies'>, 'name' | 'country' | 'enabled' | 'external_id' | 'labels' | 'notes'> & {
    metadata: Record<string, string>
  }

type ProxyAddress = Pick<Row<'proxies'>, 'protocol' | 'host' | 'port'>

const targetFields = ['protocol', 'host', 'port'] as const

/**
 * Normalizes a body to row fields, with every fault. An unchanged host and port are not validated
 * again.
 */
export function normalize(
  changes: ProxyChanges,
  { config, egress }: Pick<Services, 'config' | 'egress'>,
  before?: Row<'proxies'>,
): { normalized: NormalizedProxy; faults: Fault[] } {
  const given = changes.host ?? ''
  const port = changes.port ?? 0
  const isKept = given === before?.host && port === before.port
  const rules = { allowed: config.egressAllow, own: egress.ownAddresses }
  const read = isKept ? { host: given } : readHost(given, { pointer: '/host', port, rules })
  const host = 'host' in read ? read.host : ''
  const target = { protocol: changes.protocol ?? 'http', host, port }
  const normalized = {
    ...target,
    name: changes.name ?? defaultName(target),
    country: changes.country ?? null,
    enabled: changes.enabled ?? true,
    external_id: changes.external_id ?? null,
    labels: changes.labels ?? [],
    metadata: changes.metadata ?? {},
    notes: changes.notes ?? null,
  }
  return { normalized, faults: 'fault' in read ? [read.fault] : [] }
}

const maxNameLength = 255

function defaultName({ protocol, host, port }: ProxyAddress): string {
  const authority = host.includes(':') ? `[${host}]` : host
  return `${protocol}://${authority}:${port}`.slice(0, maxNameLength)
}

/** A stored row in the form of a body; a name derived from the target follows the target. */
export const draftFromRow = (row: Row<'proxies'>): ProxyChanges => ({
  name: row.name === defaultName(row) ? null : row.name,
  protocol: row.protocol,
  host: row.host,
  port: row.port,
  country: row.country,
  enabled: row.enabled,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
})

export const isOtherTarget = (before: ProxyAddress, after: ProxyAddress): boolean =>
  targetFields.some((field) => before[field] !== after[field])
