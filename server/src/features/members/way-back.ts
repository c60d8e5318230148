import type { WriteContext } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { conflict } from '../../problems/problem.ts'

/** An owner must be left who can get in where the provider of single sign-on is down. */
export async function checkWayBack(ctx: WriteContext): Promise<void> {
  if ((await waysBack(ctx)).length === 0) throw withoutWayBack()
}

/** While single sign-on is enforced, the last owner with that way back keeps it. */
export async function checkKeepsWayBack(ctx: WriteContext, userId: string): Promise<void> {
  if (!(await isEnforced(ctx))) return
  const [one, ...others] = await waysBack(ctx)
  if (one?.id === userId && others.length === 0) throw withoutWayBack()
}

const waysBack = (ctx: WriteContext) =>
  rowsOf(ctx, 'users')
    .where('role', '=', 'owner')
    .where('disabled', '=', false)
    .where('second_factor', '=', true)
    .where('password_hash', '<>', '')
    .select('id')
    .limit(2)
    .execute()

const enforcedSql = 'select 1 from sso_settings where organization_id = $1 and enforced'

const isEnforced = async (ctx: WriteContext): Promise<boolean> =>
  (await ctx.tx.query(tenantQuery(ctx, enforcedSql))).length > 0

const withoutWayBack = () =>
  conflict(
    'owner_without_factor',
    'An owner has to keep a password with a second factor as the way back in.',
  )
