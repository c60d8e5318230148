import { permission } from '../../identity/permissions.ts'

export const readGuardrails = permission('guardrails.read', ['owner', 'admin'])
/** Programs are bounded by them, so they do not change them. */
export const writeGuardrails = permission('guardrails.write', ['owner', 'admin'], {
  isForPeopleOnly: true,
})
export const overrideGuardrails = permission('guardrails.override', ['owner', 'admin'])
