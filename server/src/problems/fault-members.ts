/** What items of `errors[]` have of the problem that the single request would have been answered. */
export const faultMembers = {
  current_status: 'The status that the campaign has.',
  action: 'The action that was asked for.',
  current_version: 'The version that the object has.',
  blocked_by: 'Why the campaign cannot run.',
  required_roles: 'Roles that may do it.',
  resource: 'What there are too many of.',
  rule: 'The guardrail that is broken.',
  requested: 'The amount that the guardrail compares with `limit`, in major units.',
  currency: 'The currency of the amounts.',
} as const

export type FaultMember = keyof typeof faultMembers
