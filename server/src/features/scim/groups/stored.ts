import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { notFound } from '../../../problems/problem.ts'
import type { Page } from '../protocol/pages.ts'

export type StoredGroup = Row<'scim_groups'>
export type GroupQuery = Partial<Record<'id' | 'name' | 'external_id' | 'member', string>>
export type MemberOfGroup = { group_id: string; id: string; name: string }

const from = `
  from scim_groups g
  where g.organization_id = $1
    and ($2::text is null or g.id = $2)
    and ($3::text is null or g.display_name_folded = $3)
    and ($4::text is null or g.external_id = $4)
    and ($5::text is null or exists (
      select from scim_group_members m
      where m.organization_id = $1 and m.group_id = g.id and m.user_id = $5))`

const columns = columnsOf.scim_groups.map((name) => `g.${name}`).join(', ')
const pageSql = `select ${columns} ${from} order by g.id limit $6 offset $7`
const countSql = `select count(*) as total ${from}`

export async function findGroups(ctx: Context, asked: GroupQuery, { offset, limit }: Page) {
  const by = [asked.id ?? null, asked.name ?? null, asked.external_id ?? null, asked.member ?? null]
  const [[count], groups] = await Promise.all([
    ctx.reader.query<{ total: number }>(tenantQuery(ctx, countSql, ...by)),
    limit === 0
      ? []
      : ctx.reader.query<StoredGroup>(tenantQuery(ctx, pageSql, ...by, limit, offset)),
  ])
  return { total: Number(count?.total ?? 0), groups }
}

export async function oneGroup(ctx: Context, id: string): Promise<StoredGroup> {
  const { groups } = await findGroups(ctx, { id }, { offset: 0, limit: 1 })
  const [group] = groups
  if (!group) throw notFound()
  return group
}

const membersSql = `
  select m.group_id, u.id, u.name from scim_group_members m
  join users u on u.organization_id = m.organization_id and u.id = m.user_id
  left join scim_users s on s.organization_id = m.organization_id and s.id = m.user_id
  where m.organization_id = $1 and m.group_id = any($2::text[])
    and not (u.disabled and s.deleted_at is not null)
  order by u.id`

/** The people of each of these groups. */
export async function membersOfGroups(ctx: Context, ids: readonly string[]) {
  const rows =
    ids.length === 0 ? [] : await ctx.reader.query<MemberOfGroup>(tenantQuery(ctx, membersSql, ids))
  return Map.groupBy(rows, ({ group_id }) => group_id)
}
