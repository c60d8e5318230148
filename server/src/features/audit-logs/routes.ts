import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { exportTypes, formatParameter } from '../../query/file-formats.ts'
import { filterParameters, listParameters } from '../../query/list.ts'
import { sealedAnchors } from './anchors.ts'
import { auditLogFilters, auditLogList, listAuditLogs } from './audit-logs.ts'
import { makeCheckpoints } from './checkpointing.ts'
import { checkpointList, listCheckpoints } from './checkpoints.ts'
import { exportAuditLogs } from './export.ts'
import { nightlyVerification } from './nightly/verify-due.ts'
import { readAuditLogs, tag } from './resource.ts'
import { pruneAuditLogs } from './retention.ts'
import { AuditCheckpointList, AuditLogList, Verification } from './schema.ts'
import { dueAuditedNames } from './search/due.ts'
import { streamVerification } from './verify-stream.ts'

const sinceCheckpoint = Type.Boolean({
  default: false,
  description: 'Start at the newest checkpoint instead of the oldest record.',
})

export const auditLogs: Feature = {
  tag,
  permissions: [readAuditLogs],
  tables: [{ name: 'audit_logs', isSequenced: true }],
  evenWhenFull: {
    'audit_log.exported': true,
  },
  endpoints: [
    endpoint({
      operation: 'listAuditLogs',
      tag,
      summary: 'List audit records',
      description:
        'Newest first; `sort=sequence` for oldest first. Records cannot be changed or deleted.',
      method: 'GET',
      path: '/audit_logs',
      permission: readAuditLogs,
      query: listParameters(auditLogList),
      reply: AuditLogList,
      run: (ctx, { query }) => listAuditLogs(ctx, query),
    }),
    endpoint({
      operation: 'verifyAuditLogs',
      tag,
      summary: 'Verify the audit log',
      description:
        'Recomputes every hash up to the newest record and compares the chain with its signed checkpoints, which reveals changed, missing or truncated records. During a long run whitespace is sent before the JSON, and the status 200 with it: a later failure cuts the response off, leaving invalid JSON. At most one runs per organization, and two per process including exports; otherwise 503 `overloaded`.',
      method: 'GET',
      path: '/audit_logs/verify',
      permission: readAuditLogs,
      query: { since_checkpoint: sinceCheckpoint },
      reply: Verification,
      streams: ['application/json'],
      problems: ['out_of_scope'],
      run: async (ctx, { query }) => streamVerification(ctx, query),
    }),
    endpoint({
      operation: 'listAuditCheckpoints',
      tag,
      summary: 'List signed checkpoints of the audit log',
      description:
        'Newest first. Every hour the service signs the sequence and hash of the newest record, if there is a new one. Keep copies elsewhere, along with `/.well-known/jwks.json`: truncating or rewriting the log up to a checkpoint can then be detected.',
      method: 'GET',
      path: '/audit_logs/checkpoints',
      permission: readAuditLogs,
      query: listParameters(checkpointList),
      reply: AuditCheckpointList,
      run: (ctx, { query }) => listCheckpoints(ctx, query),
    }),
    endpoint({
      operation: 'exportAuditLogs',
      tag,
      summary: 'Export audit records',
      description:
        'Oldest first, streamed. The export is itself audited; its record is the last in the file. NDJSON contains the records unchanged, for offline verification with `flightdeck audit verify --file`. In CSV, text that a spreadsheet would run as a formula is prefixed with an apostrophe. A failure midway closes the connection. At most one runs per organization, and two per process including verifications and exports of campaigns; otherwise 503 `overloaded`.',
      method: 'GET',
      path: '/audit_logs/export',
      permission: readAuditLogs,
      action: 'audit_log.exported',
      query: {
        format: formatParameter,
        ...filterParameters(auditLogFilters),
      },
      streams: exportTypes,
      noStore: true,
      run: (ctx, { query }) => exportAuditLogs(ctx, query),
    }),
  ],
  sealed: sealedAnchors,
  duties: [dueAuditedNames],
  jobs: [
    { name: 'audit-logs.prune', cron: '17 * * * *', run: pruneAuditLogs },
    {
      name: 'audit-logs.checkpoint',
      cron: '7 * * * *',
      work: { name: 'checkpoints', everyHours: 1 },
      run: makeCheckpoints,
    },
    nightlyVerification,
  ],
}
