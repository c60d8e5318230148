import { type GivenRole, givenRoles } from '../resource.ts'
import type { StoredSso } from '../stored.ts'

const maxValues = 2_000

type Mapping = Pick<StoredSso, 'role_claim' | 'role_map' | 'default_role'>

/** The role that the claims give; null where roles are set by hand. */
export function roleIn(
  { role_claim, role_map, default_role }: Mapping,
  claims: Readonly<Record<string, unknown>>,
): GivenRole | null {
  if (role_claim === null) return null
  const claimed = Object.hasOwn(claims, role_claim) ? claims[role_claim] : []
  const values = [claimed].flat().slice(0, maxValues)
  return highestOf(role_map, values) ?? default_role
}

/** The highest role of what is mapped. */
function highestOf(map: StoredSso['role_map'], values: readonly unknown[]): GivenRole | undefined {
  const mapped = values.flatMap((value) =>
    typeof value === 'string' && Object.hasOwn(map, value) ? (map[value] ?? []) : [],
  )
  return givenRoles.find((role) => mapped.includes(role))
}
