import { audited } from '../../kernel/change.ts'
import { type Context, nowText } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { NotificationSettings, SettingsInput } from './schema.ts'

/** Settings of people who have chosen none: only what guards the organization is mailed. */
export const defaults: NotificationSettings = {
  approvals_waiting: 'console',
  my_change_sets: 'console',
  pacing: 'console',
  deployments: 'console',
  security: 'mail',
  digest: 'none',
}

const settingsSql = `
  select approvals_waiting, my_change_sets, pacing, deployments, security, digest
  from notification_settings where organization_id = $1 and user_id = $2`

export async function getSettings(ctx: Context): Promise<NotificationSettings> {
  const statement = tenantQuery(ctx, settingsSql, ctx.actor.id)
  const [row] = await ctx.reader.query<NotificationSettings>(statement)
  return row ?? defaults
}

const storeSql = `
  insert into notification_settings (organization_id, user_id, approvals_waiting, my_change_sets,
    pacing, deployments, security, digest, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (organization_id, user_id) do update set
    approvals_waiting = excluded.approvals_waiting, my_change_sets = excluded.my_change_sets,
    pacing = excluded.pacing, deployments = excluded.deployments, security = excluded.security,
    digest = excluded.digest, updated_at = excluded.updated_at`

export function putSettings(ctx: Context, body: SettingsInput): Promise<NotificationSettings> {
  const { id, name } = ctx.actor
  const resource = { type: 'user', id, name }
  return audited(ctx, { action: 'notification.settings_updated', resource }, async (ctx) => {
    const next = { ...(await getSettings(ctx)), ...body }
    const { approvals_waiting, my_change_sets, pacing, deployments, security, digest } = next
    const values = [approvals_waiting, my_change_sets, pacing, deployments, security, digest]
    ctx.tx.send(tenantQuery(ctx, storeSql, id, ...values, nowText(ctx.services)))
    return next
  })
}
