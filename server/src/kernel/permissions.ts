export const roles = ['owner', 'admin', 'editor', 'viewer', 'auditor'] as const
export type Role = (typeof roles)[number]

const everybody: readonly Role[] = roles

/** Who may do what: the only place that says so. */
export const permissions = {
  'self.use': everybody,
  'organization.read': everybody,
  'organization.write': ['owner'],
  'members.manage': ['owner', 'admin'],
  'api_keys.manage': ['owner', 'admin'],
  'guardrails.read': ['owner', 'admin'],
  'guardrails.write': ['owner', 'admin'],
  'guardrails.override': ['owner', 'admin'],
  'campaigns.read': everybody,
  'campaigns.write': ['owner', 'admin', 'editor'],
  'campaigns.approve': ['owner', 'admin', 'editor'],
  'campaigns.withdraw_any': ['owner', 'admin'],
  'profiles.read': everybody,
  'profiles.write': ['owner', 'admin'],
  'proxies.read': ['owner', 'admin', 'editor', 'viewer'],
  'proxies.read_usernames': ['owner', 'admin', 'editor'],
  'proxies.write': ['owner', 'admin'],
  'proxies.reveal': ['owner', 'admin'],
  'templates.read': everybody,
  'templates.write': ['owner', 'admin', 'editor'],
  'sandbox.manage': ['owner', 'admin'],
  'events.read': ['owner', 'admin', 'editor'],
  'webhook_endpoints.manage': ['owner', 'admin'],
  'audit_logs.read': ['owner', 'admin', 'auditor'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission]

export const may = (role: Role, permission: Permission): boolean =>
  rolesWith(permission).includes(role)
