import { permission } from '../../identity/permissions.ts'

export const readGuardrails = permission('guardrails.read', ['owner', 'admin'])
export const writeGuardrails = permission('guardrails.write', ['owner', 'admin'])
export const overrideGuardrails = permission('guardrails.override', ['owner', 'admin'])
