import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Row } from '../../database/tenant-tables.ts'
import type { Context } from '../../kernel/context.ts'
import {
  alternativesIn,
  anyOf,
  type Filter,
  maxAlternatives,
  timeRange,
} from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { isPartOf } from '../../query/part-of-text.ts'
import { type AuditLog, outcomes } from './schema.ts'

const exact = anyOf('action')

/** Exact names, or `campaign.*` for every action on a resource. */
const actionFilter: Filter = {
  schema: Type.String({
    maxLength: 4096,
    description: `Comma-separated, at most ${maxAlternatives}; \`campaign.*\` matches all of one kind, \`*\` matches everything.`,
    examples: ['campaign.*,auth.login_failed'],
  }),
  read(text, name) {
    const read = exact.read(text, name)
    if ('fault' in read) return read
    const actions = alternativesIn(text)
    if (actions.includes('*')) return { condition: sql<boolean>`true` }
    const prefixes = actions.filter((action) => /^\w+\.\*$/.test(action))
    if (prefixes.length === 0) return read
    const patterns = prefixes.map((prefix) => `${prefix.slice(0, -1).replaceAll('_', '\\_')}%`)
    const isLike = sql<boolean>`action like any(${patterns})`
    return { condition: sql<boolean>`(${read.condition} or ${isLike})` }
  },
}

const part = (column: 'actor' | 'resource' | 'request', key: 'id' | 'type'): Filter => {
  const given = anyOf(column)
  const value = sql`${sql.ref(column)} ->> ${sql.lit(key)}`
  return {
    ...given,
    read(text, name) {
      const read = given.read(text, name)
      if ('fault' in read) return read
      return { condition: sql<boolean>`(${value}) = any(${alternativesIn(text)})` }
    },
  }
}

/** Substring of the resource's name. */
const resourceName: Filter = {
  schema: Type.String({
    maxLength: 255,
    description: 'Part of the resource’s name, case-insensitive.',
  }),
  read(text) {
    return { condition: isPartOf(sql`resource ->> 'name'`, text) }
  },
}

export const auditLogFilters = {
  q: resourceName,
  action: actionFilter,
  actor_id: part('actor', 'id'),
  resource_type: part('resource', 'type'),
  resource_id: part('resource', 'id'),
  outcome: anyOf('outcome', outcomes),
  request_id: part('request', 'id'),
  ...timeRange('occurred', 'occurred_at'),
  // Records never change: both time filters mean `occurred_at`.
  ...timeRange('created', 'occurred_at'),
  ...timeRange('updated', 'occurred_at'),
}

export const auditLogList: ListShape<'audit_logs'> = {
  table: 'audit_logs',
  filters: auditLogFilters,
  sorts: ['sequence'],
  wide: ['changes'],
}

export const listAuditLogs = (ctx: Context, query: Query): Promise<Page<AuditLog>> =>
  pageOf(ctx, { list: auditLogList, query, present: toAuditLog })

/** The record exactly as it was hashed when written, with both hashes. */
export function toAuditLog(row: Row<'audit_logs'>): AuditLog {
  const { organization_id: _, stored_on: __, ...record } = row
  // The columns were written by record() in kernel/ledger.ts.
  return record as unknown as AuditLog
}
