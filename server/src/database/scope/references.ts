import type { Reader } from '../database.ts'

const referring = { client_ids: 'clients', profile_ids: 'profiles' } as const

/** The members of a scope that have ids. */
export const referringMembers = ['client_ids', 'profile_ids'] as const

export type TenantReader = {
  readonly reader: Reader
  readonly organization: { readonly id: string }
}

/** The ids of these that exist. */
export async function knownOf(
  { reader, organization }: TenantReader,
  member: (typeof referringMembers)[number],
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const sql = `select id from ${referring[member]} where organization_id = $1 and id = any($2)`
  const found = await reader.query<{ id: string }>({ sql, parameters: [organization.id, ids] })
  return found.map(({ id }) => id)
}
