/** Codes of `errors[]` entries: about one field or one operation, never the whole request. */

import type { ProblemCode } from './codes.ts'

/** Problems of a single operation; in the reply about all of them they are items of `errors[]`. */
export const operationCodes = [
  'insufficient_role',
  'out_of_scope',
  'not_found',
  'invalid_state_transition',
  'external_id_taken',
  'duplicate_name',
  'duplicate_account_ref',
  'resource_in_use',
  'change_set_required',
  'limit_exceeded',
  'launch_blocked',
  'approval_required',
  'self_approval_forbidden',
  'version_mismatch',
  'precondition_required',
  'guardrail_violation',
  'row_final',
  'results_source_taken',
] as const satisfies readonly ProblemCode[]

type FaultKind = { cause: string; fix: string }

const kind = (cause: string, fix: string): FaultKind => ({ cause, fix })

/** Faults of one field, parameter or header: the cause and the remedy, as on `/problems/<code>`. */
export const fieldFaults = {
  required: kind('A field that the request needs is missing or null.', 'Send the field.'),
  invalid_type: kind(
    'The value has another JSON type, such as a text where a number belongs.',
    'Send the type that the reference names for the field.',
  ),
  invalid_format: kind(
    'The value has the right type but not the right form, such as a time without an offset.',
    'Send the form that `message` describes.',
  ),
  invalid_enum_value: kind(
    'The value is not one of those the field accepts.',
    'Send one of the values in `allowed`.',
  ),
  too_short: kind('The text is shorter than allowed.', 'Send at least `limit` characters.'),
  too_long: kind('The value is longer than allowed.', 'Shorten it to `limit` characters or bytes.'),
  out_of_range: kind(
    'The number or time is outside the allowed range.',
    'Send a value within the bounds in `message` and `limit`.',
  ),
  too_many_items: kind('The list has more items than allowed.', 'Send at most `limit` items.'),
  duplicate_item: kind(
    'The same item or header is sent more than once.',
    'Send each of them once.',
  ),
  unknown_field: kind(
    'The body has a field that this endpoint does not know. Unknown fields are refused, so that a misspelled one is not lost.',
    'Correct the name, or remove the field. `allowed` lists the known names where none is similar.',
  ),
  read_only_field: kind(
    'Only the service sets this field.',
    'Leave it out. A value equal to the present one is accepted.',
  ),
  immutable_field: kind(
    'The field cannot change any more, for the reason in `message`.',
    'Leave the field as it is, or create another object.',
  ),
  locked_field: kind(
    'The template of the campaign fixes this field.',
    'Send the value in `allowed`, or change the template.',
  ),
  invalid_reference: kind(
    'The id names nothing in your organization, or something of another type.',
    'Send the id of an object that exists. List the objects to find it.',
  ),
  scope_not_allowed: kind(
    'Owners and admins, and keys of these roles, see all of the organization.',
    'Send `scope: null` with the role, or another role.',
  ),
  agent_not_allowed: kind(
    'Only keys with the role editor are agents’, and only those with `within_envelope` have an envelope.',
    'Send the role editor, or leave the field out.',
  ),
  budget_below_minimum: kind(
    'The budget is below the minimum of its currency.',
    'Send at least `limit`. `GET /reference/currencies` lists the minimums.',
  ),
  budget_precision: kind(
    'The amount has more decimals than its currency, such as 0.5 JPY.',
    'Round the amount to the decimals of the currency.',
  ),
  unsupported_currency: kind(
    'The code is not a currency of ISO 4217 in use.',
    'Send one of the codes of `GET /reference/currencies`.',
  ),
  currency_mismatch: kind(
    'The campaign and its profile have different currencies.',
    'Use the currency in `allowed`, or another profile.',
  ),
  lifetime_below_daily: kind(
    'The lifetime budget is less than one daily budget.',
    'Raise the lifetime budget, or lower the daily one.',
  ),
  date_in_past: kind('The time has passed.', 'Send a time in the future.'),
  date_in_future: kind(
    'The day or time has not come yet.',
    'Send a day up to today in the time zone of the campaign.',
  ),
  end_before_start: kind('The end is not after the start.', 'Send an end after the start.'),
  invalid_schedule: kind(
    'A window of the schedule is empty, too short or outside the day.',
    'Correct the window at the pointer.',
  ),
  schedule_overlap: kind('Two windows of the schedule overlap.', 'Merge or separate the windows.'),
  forbidden_host: kind(
    'The service does not connect to this address or port, as it is private or reserved.',
    'Use a public address. An operator can allow a subnet with `FLIGHTDECK_EGRESS_ALLOW`.',
  ),
  unknown_event: kind(
    'No event type has this name, and no pattern such as `campaign.*` matches it.',
    'Send the names of `GET /reference/events`.',
  ),
  password_too_common: kind(
    'The password is on a list of common passwords, or contains the email address.',
    'Choose another password: four random words are enough.',
  ),
} satisfies Record<string, FaultKind>

export type FaultCode =
  | keyof typeof fieldFaults
  | 'unknown_parameter'
  | (typeof operationCodes)[number]

/** Codes of `errors[]`: a fault of one field or one operation. */
export const faultCodes: readonly string[] = [
  ...Object.keys(fieldFaults),
  'unknown_parameter',
  ...operationCodes,
]
