import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import { type Role, roles } from '../../identity/permissions.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { changeFromDirectory } from '../members/directory.ts'
import { storedSso } from '../sso/stored.ts'
import type { GroupChange, GroupFacts, MovedMembers } from './groups/membership.ts'

/** Roles by the name of a group, or by its externalId; null: groups give none. */
type RolesOfGroups = { readonly map: Readonly<Record<string, Role>>; readonly otherwise: Role }

/** With a `role_claim` each login says the role, and the groups of the directory do not. */
async function rolesOfGroups(ctx: Context): Promise<RolesOfGroups | null> {
  const settings = await storedSso(ctx)
  if (!settings || settings.role_claim !== null) return null
  return { map: settings.role_map, otherwise: settings.default_role }
}

/** The role of a member that a directory makes, before any of its groups says more. */
export const roleOfNew = async (ctx: Context): Promise<Role> =>
  (await storedSso(ctx))?.default_role ?? 'viewer'

/** The role of a group; none gives that of an owner. */
function roleOf({ map }: RolesOfGroups, group: GroupFacts | null): Role | undefined {
  if (!group) return undefined
  const { display_name, external_id } = group
  const found = [display_name, external_id ?? ''].flatMap((name) =>
    Object.hasOwn(map, name) ? (map[name] ?? []) : [],
  )
  return highest(found.filter((role) => role !== 'owner'))
}

/** Roles are listed from the highest down. */
const highest = (found: readonly Role[]): Role | undefined =>
  roles.find((role) => found.includes(role))

/**
 * Gives the people of a changed group the highest role of their groups. Owners keep theirs; a role that
 * was set by hand holds until the groups of that person change.
 */
export async function followGroup(
  ctx: WriteContext,
  { id, before, after }: GroupChange,
  { joined, left, stayed }: MovedMembers,
): Promise<void> {
  const settings = await rolesOfGroups(ctx)
  if (!settings) return
  const role = roleOf(settings, after)
  const isMapped = role !== roleOf(settings, before)
  const concerned = [...joined, ...left, ...(before && isMapped ? stayed : [])]
  if (concerned.length === 0) return
  const people = await peopleWithGroups(ctx, concerned, id)
  for (const { groups, ...row } of people) {
    const others = groups.flatMap((group) => roleOf(settings, group) ?? [])
    const own = role !== undefined && !left.has(row.id) ? [role] : []
    const wanted = highest([...others, ...own]) ?? settings.otherwise
    if (row.role === 'owner' || row.role === wanted) continue
    await changeFromDirectory(ctx, row, { role: wanted })
  }
}

type PersonWithGroups = Row<'users'> & { readonly groups: readonly GroupFacts[] }

const columns = columnsOf.users.map((name) => `u.${name}`).join(', ')
const peopleSql = `
  select ${columns}, (
    select coalesce(jsonb_agg(jsonb_build_object(
      'display_name', g.display_name, 'external_id', g.external_id)), '[]')
    from scim_group_members m
    join scim_groups g on g.organization_id = m.organization_id and g.id = m.group_id
    where m.organization_id = $1 and m.user_id = u.id and m.group_id <> $3
  ) as groups
  from users u
  where u.organization_id = $1 and u.id = any($2::text[])
  order by u.id`

/** These people, with their groups but one, which is changing. */
const peopleWithGroups = (ctx: WriteContext, ids: readonly string[], but: string) =>
  ctx.reader.query<PersonWithGroups>(tenantQuery(ctx, peopleSql, ids, but))
