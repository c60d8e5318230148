import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'

export const tag: Tag = {
  name: 'Audit logs',
  description: 'Who did what, when, and with which outcome, in a tamper-evident hash chain.',
}

export const readAuditLogs = permission('audit_logs.read', ['owner', 'admin', 'auditor'])
