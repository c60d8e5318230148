import type { Row } from '../../database/tables/tenant-tables.ts'
import { registerEmail, unregisterEmail } from '../../identity/email-directory.ts'
import type { Role } from '../../identity/permissions.ts'
import { endSessionsOf } from '../../identity/sessions.ts'
import { change, checkMayManage } from '../../kernel/change.ts'
import { nowText, type WriteContext } from '../../kernel/context.ts'
import { update } from '../../kernel/rows.ts'
import { dateInMail, nameInMail } from '../../mail/letter.ts'
import { endLinksOf } from '../../mail/one-use-links.ts'
import { postMail } from '../../mail/post.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { checkNotLastOwner, checkOwners, roleWithinScope, toMember } from './members.ts'
import { endIfOnlySso } from './only-sso.ts'
import type { Member } from './schema.ts'

/** Fields of a member that a directory may set. */
export type FromDirectory = { email?: string; name?: string; disabled?: boolean; role?: Role }

/**
 * Changes a member as the directory says, with the rights of who connected it. Owners are made, moved
 * and enabled by people only.
 */
export const changeFromDirectory = (
  ctx: WriteContext,
  row: Row<'users'>,
  said: FromDirectory,
): Promise<Member> =>
  change(ctx, 'member.updated', async (ctx) => {
    const before = toMember(row)
    const { email, name, disabled, role: given } = { ...before, ...said }
    const role = roleWithinScope(before, given)
    const set = { email, name, disabled, role, from_directory: true }
    const changed = changedFields<typeof set>(before, set)
    if (changed.length === 0) return { before, after: before }
    if (disabled) await checkNotLastOwner(ctx, before)
    // That a directory knows an owner is no change of the owner.
    if (changed.some((field) => field !== 'from_directory')) checkOwners(ctx, before.role, before)
    if (before.role === 'owner') checkStaysOwner(ctx, before, set)
    if (disabled) endSessionsOf(ctx, row.id)
    if (email !== before.email) move(ctx, before, email)
    const stamps = { version: row.version + 1, updated_at: ctx.now }
    update(ctx, 'users', { id: row.id, ...set, ...stamps })
    const after = { ...before, ...set, ...stamps }
    await endIfOnlySso(ctx, before, after)
    return { before, after }
  })

/** Refuses to move or enable owners: a reader of their mails can become one of them. */
function checkStaysOwner(ctx: WriteContext, before: Member, set: Required<FromDirectory>): void {
  const refuse = (detail: string) =>
    checkMayManage({ ...ctx, role: 'provisioner' }, { role: 'owner', about: before }, detail)
  if (set.email !== before.email) refuse('A directory cannot change the address of an owner.')
  if (before.disabled && !set.disabled) refuse('A directory cannot enable an owner.')
}

/** Gives the address to the member, and says so at both. A taken one violates `user_emails_pkey`. */
function move(ctx: WriteContext, before: Member, email: string): void {
  unregisterEmail(ctx, before)
  registerEmail(ctx, { id: before.id, email })
  // A link to set a password went to the former address.
  endLinksOf(ctx, 'password_reset', before.id)
  const organization = nameInMail(ctx.organization.name)
  const letter = {
    subject: 'The address of your Flightdeck login changed',
    lines: [
      `In ${organization} you log in with another address since ${dateInMail(nowText(ctx.services))}: your company’s directory changed it.`,
      `It was ${before.email}, and is now ${email}.`,
    ],
    link: { name: 'Log in', url: `${ctx.services.config.publicUrl}/console` },
    remarks: ['If that is wrong, ask an admin of your organization.'],
  }
  for (const to of [before.email, email]) postMail(ctx, { to, letter })
}
