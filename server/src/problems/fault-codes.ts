/** Codes of `errors[]` entries: about one field or one operation, never the whole request. */

import type { ProblemCode } from './codes.ts'

/** Problems of a single bulk operation; in the bulk response they are items of `errors[]`. */
export const operationCodes = [
  'insufficient_role',
  'not_found',
  'invalid_state_transition',
  'external_id_taken',
  'limit_exceeded',
  'launch_blocked',
  'approval_required',
  'self_approval_forbidden',
  'version_mismatch',
  'precondition_required',
  'guardrail_violation',
] as const satisfies readonly ProblemCode[]

/** Codes of `errors[]`: a fault of one field or one operation. */
export const faultCodes = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_enum_value',
  'too_short',
  'too_long',
  'out_of_range',
  'too_many_items',
  'duplicate_item',
  'unknown_field',
  'read_only_field',
  'immutable_field',
  'locked_field',
  'invalid_reference',
  'budget_below_minimum',
  'budget_precision',
  'unsupported_currency',
  'currency_mismatch',
  'lifetime_below_daily',
  'date_in_past',
  'end_before_start',
  'invalid_schedule',
  'schedule_overlap',
  'forbidden_host',
  'unknown_event',
  'password_too_common',
  'unknown_parameter',
  ...operationCodes,
] as const

export type FaultCode = (typeof faultCodes)[number]
