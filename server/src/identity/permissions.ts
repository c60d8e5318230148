import type { Scope } from '../database/scope/scope.ts'
import type { AgentTerms } from '../database/tables/json-columns.ts'
import { Problem } from '../problems/problem.ts'

export const roles = ['owner', 'admin', 'editor', 'viewer', 'auditor'] as const
export type Role = (typeof roles)[number]

/** Roles of API keys; no member has the last three. */
export const keyRoles = [...roles, 'reporter', 'connector', 'provisioner'] as const
export type KeyRole = (typeof keyRoles)[number]

/** The roles that see anything of the API: a directory's key only provisions. */
export const readingRoles = [...roles, 'reporter', 'connector'] as const

/**
 * A right that some roles have. Each feature declares its own, which its endpoints and verbs name.
 */
export type Permission = {
  /** `campaigns.write` */
  readonly name: string
  readonly roles: readonly KeyRole[]
  /** No API key has it, whatever its role. */
  readonly isForPeopleOnly: boolean
  /** Agents have it too; `identity/agents/operations.ts` lists what they may do with it. */
  readonly isForAgents: boolean
}

export const permission = (
  name: string,
  roles: readonly KeyRole[],
  { isForPeopleOnly = false, isForAgents = false } = {},
): Permission => ({ name, roles, isForPeopleOnly, isForAgents })

/** The permission that every credential has. */
export const selfUse = permission('self.use', keyRoles, { isForAgents: true })

/** Reading what describes the service itself, and nothing of an organization. */
export const readReference = permission('reference.read', readingRoles, { isForAgents: true })

/** The terms of an agent's key, and whether it is stopped at present. */
export type Agent = AgentTerms & { readonly isStopped: boolean }

/** The holder of a request's permissions; every context is one. */
export type Holder = {
  readonly actor: { readonly type: string }
  readonly role: KeyRole
  /** For an API key: the current role of the user who created it; null if the command line did. */
  readonly makerRole: Role | null
  /** Set for the key of a language model, which may do less than its role. */
  readonly agent?: Agent | null
}

/** A holder whose sight may be narrowed; null: it sees all of its organization. */
export type ScopedHolder = Holder & {
  readonly scope: Scope | null
  readonly agent: Agent | null
}

/** Whether members and keys of the role may have a scope. */
export const mayHaveScope = (role: KeyRole): boolean =>
  role !== 'owner' && role !== 'admin' && role !== 'provisioner'

/** The role of a person who is logged in. */
export function memberRole({ role }: Pick<Holder, 'role'>): Role {
  const found = roles.find((each) => each === role)
  if (!found) throw new Error('only API keys have this role')
  return found
}

/** An API key needs both its own role and its creator's current role to be allowed. */
export const hasRoleAmong = ({ role, makerRole }: Holder, allowed: readonly KeyRole[]): boolean =>
  allowed.includes(role) &&
  (makerRole === null || allowed.includes(makerRole) || isKeptByMaker({ role, makerRole }))

/**
 * Connectors and directories do what no person does: their makers only have to be those who may make
 * them.
 */
const isKeptByMaker = ({ role, makerRole }: Pick<Holder, 'role' | 'makerRole'>): boolean =>
  (role === 'connector' || role === 'provisioner') &&
  (makerRole === 'owner' || makerRole === 'admin')

export const may = (holder: Holder, permission: Permission): boolean =>
  !(holder.actor.type === 'api_key' && permission.isForPeopleOnly) &&
  !(holder.agent && !permission.isForAgents) &&
  hasRoleAmong(holder, permission.roles)

/** 403 for a holder that is none of these roles. */
export const insufficientRole = (holder: Holder, required_roles: readonly KeyRole[]) =>
  new Problem('insufficient_role', lackOfRole(holder, required_roles), {
    members: { required_roles },
  })

/** The reason why the holder lacks the permission of these roles. */
export function lackOfRole(holder: Holder, allowed: readonly KeyRole[]): string {
  const { role, makerRole, agent } = holder
  if (agent && hasRoleAmong(holder, allowed)) return 'An agent’s key cannot do this.'
  if (!allowed.includes(role)) return `The role ${role} does not permit this.`
  if (makerRole !== null && !allowed.includes(makerRole) && !isKeptByMaker({ role, makerRole })) {
    return `The API key is limited to the role of the user who created it: ${makerRole}.`
  }
  return 'API keys cannot do this, whatever their role: log in as a user.'
}
