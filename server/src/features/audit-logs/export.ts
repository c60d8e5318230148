import type { Streamed } from '../../http/endpoint.ts'
import { audited } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { conditionsOf, type Query } from '../../query/list.ts'
import { auditLogList } from './audit-logs.ts'
import { type Batch, batchesOf } from './batches.ts'
import { csvHeader, csvLines } from './csv.ts'
import type { AuditLog, exportFormats } from './schema.ts'
import { beginWalk } from './walks.ts'

type Format = (typeof exportFormats)[number]

/**
 * All matching records, oldest first, up to and including the record of this export. No later
 * record can slip in, so the file is a snapshot of one instant.
 */
export async function exportAuditLogs(ctx: Context, query: Query): Promise<Streamed> {
  const { format: requestedFormat, ...rest } = query
  const format: Format = requestedFormat === 'csv' ? 'csv' : 'ndjson'
  const filters = givenTexts(rest)
  // Parsed first: an invalid filter must not be recorded as an export.
  const conditions = conditionsOf(auditLogList, filters)
  const { signal, end } = beginWalk(ctx, 'export')
  const upTo = await recordExport(ctx, { format, ...filters }).catch((error: unknown) => {
    end()
    throw error
  })
  const batches = batchesOf(ctx, { after: 0, upTo }, { signal, conditions })
  const fileName = `audit_logs_${ctx.organization.id}_${upTo}.${format}`
  return { ...formatted[format](batches), fileName, close: end }
}

type Formatted = Pick<Streamed, 'contentType' | 'chunks'>

const formatted: Readonly<Record<Format, (batches: AsyncIterable<Batch>) => Formatted>> = {
  csv: (batches) => ({
    contentType: 'text/csv; charset=utf-8; header=present',
    chunks: chunksOf(batches, csvLines, csvHeader),
  }),
  ndjson: (batches) => ({
    contentType: 'application/x-ndjson; charset=utf-8',
    chunks: chunksOf(batches, jsonLines, ''),
  }),
}

const jsonLines = (records: readonly AuditLog[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const givenTexts = (filters: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )

/** Recorded before the first row is sent. Returns the record's sequence. */
function recordExport(ctx: Context, parameters: Record<string, string>): Promise<number> {
  const changes = Object.entries(parameters).map(([field, after]) => ({
    field,
    before: null,
    after,
  }))
  const resource = { type: 'audit_log', id: null, name: null }
  const entry = { action: 'audit_log.exported', resource, changes }
  return audited(ctx, entry, async (ctx) => (await ctx.ledger).auditSequence + 1)
}

async function* chunksOf(
  batches: AsyncIterable<Batch>,
  write: (records: readonly AuditLog[]) => string,
  header: string,
): AsyncGenerator<string> {
  if (header) yield header
  for await (const { records } of batches) {
    if (records.length > 0) yield write(records)
  }
}
