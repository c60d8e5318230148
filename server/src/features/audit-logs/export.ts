import type { Streamed } from '../../http/endpoint.ts'
import { audited } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { conditionsOf, type Query } from '../../kernel/pages.ts'
import { everyColumn, type Row, rowsOf } from '../../kernel/rows.ts'
import { auditLogList, toAuditLog } from './audit-logs.ts'
import { csvHeader, csvLine } from './csv.ts'
import type { AuditLog, exportFormats } from './schema.ts'

type Format = (typeof exportFormats)[number]

/** Rows held at a time, however many are exported. */
const batchSize = 200

/**
 * All records that match, oldest first, up to and including the one that tells of this export: a
 * later record cannot come in between, so the file is what the organization had at one instant.
 */
export async function exportAuditLogs(ctx: Context, query: Query): Promise<Streamed> {
  const { format: asked, ...rest } = query
  const format: Format = asked === 'csv' ? 'csv' : 'ndjson'
  const filters = givenTexts(rest)
  // Read first: a bad filter must not be told to the audit log as an export.
  conditionsOf(auditLogList, filters)
  const upTo = await recordExport(ctx, { format, ...filters })
  const fileName = `audit_logs_${ctx.organization.id}_${upTo}.${format}`
  const records = recordsUpTo(ctx, upTo, filters)
  if (format === 'csv') {
    const contentType = 'text/csv; charset=utf-8; header=present'
    return { contentType, fileName, chunks: chunksOf(records, csvLine, csvHeader) }
  }
  const chunks = chunksOf(records, (record) => `${JSON.stringify(record)}\n`, '')
  return { contentType: 'application/x-ndjson; charset=utf-8', fileName, chunks }
}

const givenTexts = (filters: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )

/** Told before the first row leaves. Answers the record's own sequence. */
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

async function* recordsUpTo(
  ctx: Context,
  upTo: number,
  filters: Record<string, string>,
): AsyncGenerator<AuditLog[]> {
  let after = 0
  for (;;) {
    const rows = await batchAfter(ctx, { after, upTo }, filters)
    if (rows.length > 0) yield rows.map(toAuditLog)
    if (rows.length < batchSize) return
    after = rows.at(-1)?.sequence ?? upTo
  }
}

type Span = { after: number; upTo: number }

function batchAfter(
  ctx: Context,
  { after, upTo }: Span,
  filters: Record<string, string>,
): Promise<Row<'audit_logs'>[]> {
  const matching = conditionsOf(auditLogList, filters).reduce(
    (query, condition) => query.where(condition),
    rowsOf(ctx, 'audit_logs'),
  )
  const query = matching
    .select(everyColumn('audit_logs'))
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(batchSize)
  return ctx.reader.query<Row<'audit_logs'>>(query.compile())
}

async function* chunksOf(
  batches: AsyncIterable<AuditLog[]>,
  write: (record: AuditLog) => string,
  header: string,
): AsyncGenerator<string> {
  if (header) yield header
  for await (const batch of batches) yield batch.map(write).join('')
}
