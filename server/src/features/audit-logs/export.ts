import type { Streamed } from '../../http/endpoint.ts'
import { audited } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { fileOf, formatIn } from '../../query/file-formats.ts'
import type { Query } from '../../query/list.ts'
import { beginLongRead } from '../../query/long-reads.ts'
import type { Received } from '../../query/parameters.ts'
import { conditionsOf } from '../../query/walk.ts'
import { auditLogList } from './audit-logs.ts'
import { type Batch, batchesOf } from './batches.ts'
import type { AuditLog } from './schema.ts'

const columns = [
  ...['sequence', 'id', 'occurred_at', 'action', 'outcome'],
  ...['actor.type', 'actor.id', 'actor.name'],
  ...['resource.type', 'resource.id', 'resource.name'],
  ...['changes', 'reason'],
  ...['request.id', 'request.method', 'request.path', 'request.status', 'request.ip'],
  ...['request.user_agent', 'change_set_id', 'prev_hash', 'hash'],
]

/**
 * All matching records, oldest first, up to and including the record of this export. No later
 * record can slip in, so the file is a snapshot of one instant.
 */
export async function exportAuditLogs(ctx: Context, query: Query): Promise<Streamed> {
  const { format: _, ...rest } = query
  const format = formatIn(query)
  const filters = filtersOf(rest)
  // Parsed first: an invalid filter must not be recorded as an export.
  const conditions = conditionsOf(auditLogList, filters)
  const { signal, end } = beginLongRead(ctx, 'export')
  const upTo = await recordExport(ctx, { format, ...filters }).catch((error: unknown) => {
    end()
    throw error
  })
  const batches = recordsIn(batchesOf(ctx, { after: 0, upTo }, { signal, conditions }))
  const fileName = `audit_logs_${ctx.organization.id}_${upTo}.${format}`
  return { ...fileOf(format, { batches, columns }), fileName, close: end }
}

async function* recordsIn(batches: AsyncIterable<Batch>): AsyncGenerator<AuditLog[]> {
  for await (const { records } of batches) yield records
}

const filtersOf = (query: Query): Received =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, given]) => (given === undefined ? [] : [[name, given]])),
  )

/** Recorded before the first row is sent. Returns the record's sequence. */
function recordExport(ctx: Context, parameters: Received): Promise<number> {
  const changes = Object.entries(parameters).map(([field, after]) => ({
    field,
    before: null,
    after,
  }))
  const resource = { type: 'audit_log', id: null, name: null }
  const entry = { action: 'audit_log.exported', resource, changes }
  return audited(ctx, entry, async (ctx) => (await ctx.ledger).auditSequence + 1)
}
