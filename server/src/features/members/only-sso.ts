import { needsSso } from '../../identity/enforced-sso.ts'
import { endPasswordSessionsOf } from '../../identity/sessions.ts'
import type { WriteContext } from '../../kernel/context.ts'
import type { Member } from './schema.ts'

/** Fields of a member by which single sign-on is enforced, or is not. */
const deciding = ['email', 'role', 'second_factor'] as const

/**
 * Ends what a password has opened where a change leaves the member nothing but single sign-on: no
 * session is stronger than what a new login would give.
 */
export async function endIfOnlySso(
  ctx: WriteContext,
  before: Member,
  after: Pick<Member, (typeof deciding)[number]>,
): Promise<void> {
  if (deciding.every((field) => before[field] === after[field])) return
  const { organization } = ctx
  if (await needsSso(ctx.reader, { ...after, organization })) endPasswordSessionsOf(ctx, before.id)
}
