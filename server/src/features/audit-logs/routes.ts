import { Type } from 'typebox'
import { endpoint, type Feature } from '../../http/endpoint.ts'
import { filterParameters, listParameters } from '../../query/list.ts'
import { choice } from '../../schema/fields.ts'
import { auditLogFilters, auditLogList, listAuditLogs } from './audit-logs.ts'
import { makeCheckpoints } from './checkpointing.ts'
import { checkpointList, listCheckpoints } from './checkpoints.ts'
import { exportAuditLogs } from './export.ts'
import { pruneAuditLogs } from './retention.ts'
import { AuditCheckpointList, AuditLogList, exportFormats, Verification } from './schema.ts'
import { streamVerification } from './verify-stream.ts'

const tag = 'Audit logs'

const sinceCheckpoint = Type.Boolean({
  default: false,
  description: 'Begin at the newest checkpoint, not at the oldest record.',
})

export const auditLogs: Feature = {
  endpoints: [
    endpoint({
      operation: 'listAuditLogs',
      tag,
      summary: 'List audit records',
      description:
        'Newest first; `sort=sequence` for oldest first. Records cannot be changed or deleted.',
      method: 'GET',
      path: '/audit_logs',
      permission: 'audit_logs.read',
      query: listParameters(auditLogList),
      reply: AuditLogList,
      run: (ctx, { query }) => listAuditLogs(ctx, query),
    }),
    endpoint({
      operation: 'verifyAuditLogs',
      tag,
      summary: 'Verify the chain of audit records',
      description:
        'Recomputes every hash, up to the newest record, and compares the chain with its signed checkpoints. A record changed, missing or cut off shows. While it works, blanks are sent in front of the JSON, and with the first of them the status 200: a fault after that cuts the answer off, which is then no JSON. An organization has one at a time, a process two with exports: one more is 503 `overloaded`.',
      method: 'GET',
      path: '/audit_logs/verify',
      permission: 'audit_logs.read',
      query: { since_checkpoint: sinceCheckpoint },
      reply: Verification,
      streams: ['application/json'],
      run: async (ctx, { query }) => streamVerification(ctx, query),
    }),
    endpoint({
      operation: 'listAuditCheckpoints',
      tag,
      summary: 'List signed checkpoints of the chain',
      description:
        'Newest first. Every hour the service signs sequence and hash of the newest record, where there is a new one. Keep them somewhere else, with `/.well-known/jwks.json`: then nobody can cut off or rewrite the log up to them without your noticing.',
      method: 'GET',
      path: '/audit_logs/checkpoints',
      permission: 'audit_logs.read',
      query: listParameters(checkpointList),
      reply: AuditCheckpointList,
      run: (ctx, { query }) => listCheckpoints(ctx, query),
    }),
    endpoint({
      operation: 'exportAuditLogs',
      tag,
      summary: 'Export audit records',
      description:
        'Oldest first, streamed, and itself audited: its own record is the last of the file. NDJSON holds the records as they are, to be verified offline with `flightdeck audit verify --file`. In CSV an apostrophe stands before texts that a spreadsheet would run as a formula. A fault halfway cuts the connection. An organization has one at a time, a process two with verifications: one more is 503 `overloaded`.',
      method: 'GET',
      path: '/audit_logs/export',
      permission: 'audit_logs.read',
      action: 'audit_log.exported',
      query: {
        format: choice(exportFormats, { default: 'ndjson', description: 'Of the file.' }),
        ...filterParameters(auditLogFilters),
      },
      streams: ['application/x-ndjson', 'text/csv'],
      noStore: true,
      run: (ctx, { query }) => exportAuditLogs(ctx, query),
    }),
  ],
  jobs: [
    { name: 'audit-logs.prune', cron: '17 * * * *', run: pruneAuditLogs },
    { name: 'audit-logs.checkpoint', cron: '7 * * * *', run: makeCheckpoints },
  ],
}
