import { nowText, type WriteContext } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'

const endSql = `
  update sessions set ended_at = $3
  where organization_id = $1 and ended_at is null and sso_issuer is null and user_id in (
    select id from users
    where organization_id = $1 and split_part(email, '@', 2) = any($2)
      and not (role = 'owner' and second_factor))`

/** Ends the sessions of members that a password has opened, and who log in by single sign-on only. */
export function endPasswordSessions(ctx: WriteContext, domains: readonly string[]): void {
  if (domains.length === 0) return
  ctx.tx.send(tenantQuery(ctx, endSql, domains, nowText(ctx.services)))
}
