import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'

/** Milliseconds for which an inventory stands while nothing changes. */
const standsMs = 10 * 60_000

const changedSql = `
  select exists (select from deployments
    where organization_id = $1 and profile_id = $2 and updated_at >= $3) as changed`

/** Whether the inventory of an account is to be sent, even where the network shows nothing new. */
export async function isInventoryWanted(
  ctx: Context,
  { id, listed_at }: Pick<Row<'connections'>, 'id' | 'listed_at'>,
): Promise<boolean> {
  if (listed_at === null) return true
  if (Date.parse(nowIn(ctx)) - Date.parse(listed_at) >= standsMs) return true
  const statement = tenantQuery(ctx, changedSql, id, listed_at)
  const [found] = await ctx.reader.query<{ changed: boolean }>(statement)
  return found?.changed ?? true
}
