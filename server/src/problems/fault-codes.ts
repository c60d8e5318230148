/** What an entry of `errors[]` can be: codes of one field or one operation, not of a whole request. */

import type { ProblemCode } from './codes.ts'

/** Problems of one operation of a bulk request: in `errors[]` of the whole they are items. */
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

/** Codes of `errors[]`: what is wrong with one field, or with one operation. */
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
