export const roles = ['owner', 'admin', 'editor', 'viewer', 'auditor'] as const
export type Role = (typeof roles)[number]

const allRoles: readonly Role[] = roles

/** Who may do what: the only place that says so. */
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

/** Rights that no API key has: with them, a stolen key could make itself a new way in. */
const peopleOnly: ReadonlySet<Permission> = new Set(['members.manage', 'api_keys.manage'])

export const isForPeopleOnly = (permission: Permission): boolean => peopleOnly.has(permission)

/** Whose rights a request has: every context is one. */
export type Holder = {
  readonly actor: { readonly type: string }
  readonly role: Role
  /** Of an API key: the present role of the user who made it; null for one made by the command line. */
  readonly makerRole: Role | null
}

/** An API key has the rights that both its own role and its maker's present one have. */
export const hasRoleAmong = ({ role, makerRole }: Holder, allowed: readonly Role[]): boolean =>
  allowed.includes(role) && (makerRole === null || allowed.includes(makerRole))

export const may = (holder: Holder, permission: Permission): boolean =>
  !(holder.actor.type === 'api_key' && isForPeopleOnly(permission)) &&
  hasRoleAmong(holder, rolesWith(permission))

/** Why the holder may not do what these roles may. */
export function lackOfRole({ role, makerRole }: Holder, allowed: readonly Role[]): string {
  if (!allowed.includes(role)) return `The role ${role} may not do this.`
  if (makerRole !== null && !allowed.includes(makerRole)) {
    return `The API key may do no more than its maker, whose role is ${makerRole}.`
  }
  return 'An API key may not do this, whatever its role: log in as a user.'
}
