import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { notFound } from '../../../problems/problem.ts'
import type { Page } from '../protocol/pages.ts'

/** A member with what the directory knows of it; without that, the directory has never changed it. */
export type StoredUser = Row<'users'> &
  Pick<
    Row<'scim_users'>,
    'external_id' | 'display_name' | 'given_name' | 'family_name' | 'deleted_at'
  > & {
    readonly is_deleted: boolean
  }

export type UserQuery = Partial<Record<'id' | 'email' | 'external_id', string>>

const from = `
  from users u
  left join scim_users s on s.organization_id = u.organization_id and s.id = u.id
  where u.organization_id = $1
    and ($2::text is null or u.id = $2)
    and ($3::text is null or u.email = $3)
    and ($4::text is null or s.external_id = $4)
`
/** Hides people whom the directory deleted, while they are disabled. */
const isShown = 'not (u.disabled and s.deleted_at is not null)'

const columns = columnsOf.users.map((name) => `u.${name}`).join(', ')
const select = `
  select ${columns}, s.external_id, s.display_name, s.given_name, s.family_name, s.deleted_at,
    coalesce(u.disabled and s.deleted_at is not null, false) as is_deleted ${from}`

const pageSql = `${select} and ${isShown} order by u.id limit $5 offset $6`
const countSql = `select count(*) as total ${from} and ${isShown}`

const parametersOf = ({ id, email, external_id }: UserQuery) => [
  id ?? null,
  email ?? null,
  external_id ?? null,
]

export async function findUsers(ctx: Context, asked: UserQuery, { offset, limit }: Page) {
  const by = parametersOf(asked)
  const [[count], users] = await Promise.all([
    ctx.reader.query<{ total: number }>(tenantQuery(ctx, countSql, ...by)),
    limit === 0
      ? []
      : ctx.reader.query<StoredUser>(tenantQuery(ctx, pageSql, ...by, limit, offset)),
  ])
  return { total: Number(count?.total ?? 0), users }
}

/** One user; 404 where it is not there for the directory. */
export async function oneUser(ctx: Context, id: string): Promise<StoredUser> {
  const user = await userBy(ctx, { id })
  if (!user || user.is_deleted) throw notFound()
  return user
}

/** One user, deleted ones too. */
export async function userBy(ctx: Context, asked: UserQuery): Promise<StoredUser | undefined> {
  const [user] = await ctx.reader.query<StoredUser>(
    tenantQuery(ctx, select, ...parametersOf(asked)),
  )
  return user
}

const saveSql = `
  insert into scim_users
    (organization_id, id, external_id, display_name, given_name, family_name, deleted_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (organization_id, id) do update set external_id = excluded.external_id,
    display_name = excluded.display_name, given_name = excluded.given_name,
    family_name = excluded.family_name, deleted_at = excluded.deleted_at`

/** Facts kept beside the member, as a whole. */
export type Beside = Omit<Row<'scim_users'>, 'organization_id'>

export function saveBeside(ctx: WriteContext, beside: Beside): void {
  const { id, external_id, display_name, given_name, family_name, deleted_at } = beside
  ctx.tx.send(
    tenantQuery(ctx, saveSql, id, external_id, display_name, given_name, family_name, deleted_at),
  )
}

const groupsSql = `
  select m.user_id, g.id, g.display_name from scim_group_members m
  join scim_groups g on g.organization_id = m.organization_id and g.id = m.group_id
  where m.organization_id = $1 and m.user_id = any($2::text[])
  order by g.display_name_folded`

export type GroupOfUser = { user_id: string; id: string; display_name: string }

/** The groups of each of these users. */
export async function groupsOfUsers(ctx: Context, ids: readonly string[]) {
  const rows =
    ids.length === 0 ? [] : await ctx.reader.query<GroupOfUser>(tenantQuery(ctx, groupsSql, ids))
  return Map.groupBy(rows, ({ user_id }) => user_id)
}
