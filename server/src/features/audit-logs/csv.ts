import type { AuditLog } from './schema.ts'

const columns: Readonly<Record<string, (record: AuditLog) => unknown>> = {
  sequence: (record) => record.sequence,
  id: (record) => record.id,
  occurred_at: (record) => record.occurred_at,
  action: (record) => record.action,
  outcome: (record) => record.outcome,
  actor_type: (record) => record.actor.type,
  actor_id: (record) => record.actor.id,
  actor_name: (record) => record.actor.name,
  resource_type: (record) => record.resource.type,
  resource_id: (record) => record.resource.id,
  resource_name: (record) => record.resource.name,
  changes: (record) => JSON.stringify(record.changes),
  reason: (record) => record.reason,
  request_id: (record) => record.request?.id,
  request_method: (record) => record.request?.method,
  request_path: (record) => record.request?.path,
  request_status: (record) => record.request?.status,
  request_ip: (record) => record.request?.ip,
  request_user_agent: (record) => record.request?.user_agent,
  prev_hash: (record) => record.prev_hash,
  hash: (record) => record.hash,
}

export const csvHeader = `${Object.keys(columns).join(',')}\r\n`

/** One record as a line of RFC 4180. */
export const csvLine = (record: AuditLog): string =>
  `${Object.values(columns)
    .map((read) => csvCell(read(record)))
    .join(',')}\r\n`

/** Spreadsheets run a text that begins so as a formula, wherever it came from. */
const looksLikeFormula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Empty for null. An apostrophe in front makes a formula a text; quotes hold what would split it. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const safe = typeof value === 'string' && looksLikeFormula.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
