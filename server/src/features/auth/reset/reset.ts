import { endSessionsOf } from '../../../identity/sessions.ts'
import { audited } from '../../../kernel/change.ts'
import { actAsSystem, type BareContext } from '../../../kernel/context.ts'
import { findOne, update } from '../../../kernel/rows.ts'
import { linkExpired, openedLink, spendLink } from '../../../mail/one-use-links.ts'
import { noticePasswordChange } from './notice.ts'

type Reset = { secret: string; password: string }

/** Sets the password of the person that the link was made for, and ends all of their sessions. */
export async function resetPassword(bare: BareContext, { secret, password }: Reset): Promise<void> {
  const { services, request } = bare
  const place = { secret, address: request?.ip ?? '' }
  const link = await openedLink(services, 'password_reset', place)
  const system = await actAsSystem(services, link.organization_id, 'password reset')
  const user = system && (await findOne(system, 'users', link.subject_id))
  if (!user || user.disabled) throw linkExpired()
  const { id, name, email } = user
  const organizationId = system.organization.id
  const password_hash = await services.identity.passwords.hash(password, { organizationId })
  const ctx = { ...system, actor: { type: 'user', id, name } as const, request }
  const entry = { action: 'auth.password_changed', resource: { type: 'user', id, name } }
  await audited(ctx, entry, async (ctx) => {
    await spendLink(ctx, link)
    update(ctx, 'users', { id, password_hash, updated_at: ctx.now })
    endSessionsOf(ctx, id)
    noticePasswordChange(ctx, email, 'by a link that was sent for it')
  })
}
