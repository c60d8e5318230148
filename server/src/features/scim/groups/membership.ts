import type { Context, WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { ScimProblem } from '../../../problems/scim-problem.ts'

/** People that a change brings into a group, takes out of it, and leaves in it. */
export type MovedMembers = Readonly<Record<'joined' | 'left' | 'stayed', ReadonlySet<string>>>

export type GroupFacts = { readonly display_name: string; readonly external_id: string | null }

/** A group before and after a change. */
export type GroupChange = {
  readonly id: string
  readonly before: GroupFacts | null
  readonly after: GroupFacts | null
}

const idsSql = `
  select user_id from scim_group_members where organization_id = $1 and group_id = $2`

export async function idsOfMembers(ctx: Context, id: string): Promise<Set<string>> {
  const rows = await ctx.reader.query<{ user_id: string }>(tenantQuery(ctx, idsSql, id))
  return new Set(rows.map(({ user_id }) => user_id))
}

const knownSql = 'select id from users where organization_id = $1 and id = any($2::text[])'

/** Throws for members that the organization does not have, another’s included. */
export async function checkKnown(ctx: Context, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return
  const rows = await ctx.reader.query<{ id: string }>(tenantQuery(ctx, knownSql, [...ids]))
  const [unknown] = ids.difference(new Set(rows.map(({ id }) => id)))
  if (unknown === undefined) return
  throw new ScimProblem('invalidValue', `There is no user ${unknown.slice(0, 80)}.`)
}

const joinSql = `
  insert into scim_group_members (organization_id, group_id, user_id)
  select $1, $2, unnest($3::text[]) on conflict do nothing`

const leaveSql = `
  delete from scim_group_members
  where organization_id = $1 and group_id = $2 and user_id = any($3::text[])`

/** Sends the rows of those who join and leave. */
export function moveMembers(
  ctx: WriteContext,
  id: string,
  { joined, left }: Pick<MovedMembers, 'joined' | 'left'>,
): void {
  if (joined.size > 0) ctx.tx.send(tenantQuery(ctx, joinSql, id, [...joined]))
  if (left.size > 0) ctx.tx.send(tenantQuery(ctx, leaveSql, id, [...left]))
}
