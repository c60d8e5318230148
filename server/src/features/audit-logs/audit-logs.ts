import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { anyOf, byId, type Filter, severalOf, timeRange } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { type AuditLog, outcomes } from './schema.ts'
import { byWordsOfResource } from './search/search.ts'

/** Exact names, or `campaign.*` for every action on a resource. */
const actionFilter: Filter = {
  ...severalOf(Type.String(), {
    description: '`campaign.*` matches all of one kind, `*` matches everything.',
    examples: ['campaign.*,auth.login_failed'],
  }),
  read(actions) {
    if (actions.includes('*')) return { condition: sql<boolean>`true` }
    const isExact = sql<boolean>`action = any(${actions})`
    const prefixes = actions.filter((action) => /^\w+\.\*$/.test(action))
    if (prefixes.length === 0) return { condition: isExact }
    const patterns = prefixes.map((prefix) => `${prefix.slice(0, -1).replaceAll('_', '\\_')}%`)
    return { condition: sql<boolean>`(${isExact} or action like any(${patterns}))` }
  },
}

const part = (column: 'actor' | 'resource' | 'request', key: 'id' | 'type'): Filter => {
  const value = sql`${sql.ref(column)} ->> ${sql.lit(key)}`
  return {
    ...severalOf(Type.String(), {}),
    read: (values) => ({ condition: sql<boolean>`(${value}) = any(${values})` }),
  }
}

export const auditLogFilters = {
  ...byId,
  ...byWordsOfResource,
  action: actionFilter,
  actor_id: part('actor', 'id'),
  resource_type: part('resource', 'type'),
  resource_id: part('resource', 'id'),
  outcome: anyOf('outcome', { allowed: outcomes }),
  change_set_id: anyOf('change_set_id'),
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
  sized: 'audit_logs',
  isNumbered: true,
}

export const listAuditLogs = (ctx: Context, query: Query): Promise<Page<AuditLog>> =>
  pageOf(ctx, { list: auditLogList, query, present: toAuditLog })

/** The record exactly as it was hashed when written, with both hashes. */
export function toAuditLog(row: Row<'audit_logs'>): AuditLog {
  const { organization_id: _, stored_on: __, change_set_id, ...record } = row
  return change_set_id === null ? record : { ...record, change_set_id }
}
