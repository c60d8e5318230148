export const roles = ['owner', 'admin', 'editor', 'viewer', 'auditor'] as const
export type Role = (typeof roles)[number]

const allRoles: readonly Role[] = roles

/** The roles of each permission: the only place that defines them. */
export const permissions = {
  'self.use': allRoles,
  'organization.read': allRoles,
  'organization.write': ['owner'],
  'members.read': ['owner', 'admin'],
  'members.manage': ['owner', 'admin'],
  'api_keys.read': ['owner', 'admin'],
  'api_keys.manage': ['owner', 'admin'],
  'guardrails.read': ['owner', 'admin'],
  'guardrails.write': ['owner', 'admin'],
  'guardrails.override': ['owner', 'admin'],
  'campaigns.read': allRoles,
  'campaigns.write': ['owner', 'admin', 'editor'],
  'campaigns.approve': ['owner', 'admin', 'editor'],
  'campaigns.withdraw_any': ['owner', 'admin'],
  'profiles.read': allRoles,
  'profiles.write': ['owner', 'admin'],
  'proxies.read': ['owner', 'admin', 'editor', 'viewer'],
  'proxies.read_usernames': ['owner', 'admin', 'editor'],
  'proxies.write': ['owner', 'admin'],
  'proxies.reveal': ['owner', 'admin'],
  'templates.read': allRoles,
  'templates.write': ['owner', 'admin', 'editor'],
  'sandbox.manage': ['owner', 'admin'],
  'events.read': ['owner', 'admin', 'editor'],
  'webhook_endpoints.manage': ['owner', 'admin'],
  'audit_logs.read': ['owner', 'admin', 'auditor'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission]

/** Permissions no API key has: a stolen key could use them to create further access. */
const peopleOnly: ReadonlySet<Permission> = new Set(['members.manage', 'api_keys.manage'])

export const isForPeopleOnly = (permission: Permission): boolean => peopleOnly.has(permission)

/** The holder of a request's permissions; every context is one. */
export type Holder = {
  readonly actor: { readonly type: string }
  readonly role: Role
  /** For an API key: the current role of the user who created it; null if the command line did. */
  readonly makerRole: Role | null
}

/** An API key needs both its own role and its creator's current role to be allowed. */
export const hasRoleAmong = ({ role, makerRole }: Holder, allowed: readonly Role[]): boolean =>
  allowed.includes(role) && (makerRole === null || allowed.includes(makerRole))

export const may = (holder: Holder, permission: Permission): boolean =>
  !(holder.actor.type === 'api_key' && isForPeopleOnly(permission)) &&
  hasRoleAmong(holder, rolesWith(permission))

/** Why the holder lacks the permission of these roles. */
export function lackOfRole({ role, makerRole }: Holder, allowed: readonly Role[]): string {
  if (!allowed.includes(role)) return `The role ${role} does not permit this.`
  if (makerRole !== null && !allowed.includes(makerRole)) {
    return `The API key is limited to the role of the user who created it: ${makerRole}.`
  }
  return 'API keys cannot do this, whatever their role: log in as a user.'
}
