/** Members that an item of `errors[]` takes over from the problem of the single request. */
export const faultMembers = {
  current_status: 'The current status of the campaign.',
  action: 'The requested action.',
  current_version: 'The current version of the object.',
  blocked_by: 'Why the campaign cannot run.',
  required_roles: 'The roles that may do it.',
  resource: 'The kind of object that exceeds its limit.',
  rule: 'The broken guardrail.',
  requested: 'The amount compared with `limit`, in major units.',
  currency: 'The currency of the amounts.',
} as const

export type FaultMember = keyof typeof faultMembers
