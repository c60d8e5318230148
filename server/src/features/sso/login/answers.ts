import { purge } from '../../../database/upkeep/purge.ts'
import { audited } from '../../../kernel/change.ts'
import { type Context, nowText, type Services, type WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'

const findSql =
  'select true as used from sso_answers where organization_id = $1 and answer_hash = $2'
const noteSql = `
  insert into sso_answers (organization_id, answer_hash, expires_at) values ($1, $2, $3)`

/** An answer, for how long it could be repeated, and the action of its audit record. */
type Answer = { readonly text: string; readonly keptMs: number; readonly action: string }

class Spent extends Error {}

/** Uses an answer up, with the work that is for it; false if it was used before. */
export async function spendOnce(
  ctx: Context,
  { text, keptMs, action }: Answer,
  work: (ctx: WriteContext) => void = () => {},
): Promise<boolean> {
  const { id, name } = ctx.organization
  const resource = { type: 'organization', id, name }
  try {
    await audited(ctx, { action, resource }, async (ctx) => {
      const hash = sha256Hex(text)
      const found = await ctx.tx.query<{ used: boolean }>(tenantQuery(ctx, findSql, hash))
      if (found.length > 0) throw new Spent()
      work(ctx)
      const until = new Date(Date.parse(nowText(ctx.services)) + keptMs).toISOString()
      ctx.tx.send(tenantQuery(ctx, noteSql, hash, until))
    })
    return true
  } catch (error) {
    if (error instanceof Spent) return false
    throw error
  }
}

/** Deletes answers that no one could repeat any more. */
export const purgeAnswers = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'sso_answers', endedAt: 'expires_at', keptMs: 0 }, signal)
