import { unregisterPasskeysOf } from '../../../identity/passkey-directory.ts'
import { endChallengesOf } from '../../../identity/sessions.ts'
import { audited, checkMayManage, withDenials } from '../../../kernel/change.ts'
import type { Context } from '../../../kernel/context.ts'
import { oneOf, remove, rowsOf } from '../../../kernel/rows.ts'
import { nameInMail } from '../../../mail/letter.ts'
import { notFound } from '../../../problems/problem.ts'
import { setSecondFactor } from '../../members/members.ts'
import { noticeFactors } from './notice.ts'

/** Removes all factors of a member who has lost them; the next login is by the password alone. */
export const removeFactorsOf = (ctx: Context, userId: string): Promise<void> =>
  withDenials(ctx, 'auth.factors_removed', async () => {
    const user = await oneOf(ctx, 'users', userId)
    checkMayManage(ctx, { role: user.role, about: user }, ownersOnly)
    const resource = { type: 'user', id: user.id, name: user.name }
    await audited(ctx, { action: 'auth.factors_removed', resource }, async (ctx) => {
      const rows = await rowsOf(ctx, 'factors')
        .where('user_id', '=', user.id)
        .select('id')
        .execute()
      if (rows.length === 0) throw notFound()
      await unregisterPasskeysOf(ctx, user.id)
      for (const { id } of rows) remove(ctx, 'factors', id)
      endChallengesOf(ctx, user.id)
      await setSecondFactor(ctx, user.id, false)
      if (!user.second_factor) return
      const by = nameInMail(ctx.actor.name ?? 'An admin')
      noticeFactors(ctx, user.email, {
        what: `${by} removed the second factors of your login`,
        next: 'Your password alone logs you in until you set up a new one.',
      })
    })
  })

const ownersOnly = 'Only an owner may remove the second factors of an owner.'
