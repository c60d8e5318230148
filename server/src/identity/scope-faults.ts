import { knownOf, referringMembers, type TenantReader } from '../database/scope/references.ts'
import type { Scope } from '../database/scope/scope.ts'
import { type Fault, fault } from '../problems/fault.ts'
import { invalidReference } from '../problems/problem.ts'
import { type KeyRole, mayHaveScope } from './permissions.ts'

type Scoping = {
  role: KeyRole
  scope: Scope | null
  /** The scope until now: ids of what was deleted since may stay. */
  before?: Scope | null
}

/** The faults of a scope for a role. */
export async function scopeFaults(
  ctx: TenantReader,
  { role, scope, before = null }: Scoping,
): Promise<Fault[]> {
  if (!scope) return []
  if (!mayHaveScope(role)) {
    const message = `must be null for the role ${role}, which sees everything`
    return [fault('/scope', 'scope_not_allowed', message)]
  }
  const faults = await Promise.all(
    referringMembers.map(async (member) => {
      const ids = scope[member] ?? []
      const kept = before?.[member] ?? []
      const asked = ids.filter((id) => !kept.includes(id))
      const known = new Set([...kept, ...(await knownOf(ctx, member, asked))])
      return ids.flatMap((id, at) =>
        known.has(id) ? [] : [invalidReference(`/scope/${member}/${at}`, id)],
      )
    }),
  )
  return faults.flat()
}

/** As it is stored. */
export const storedScope = (scope: Scope | null): string | null => scope && JSON.stringify(scope)
