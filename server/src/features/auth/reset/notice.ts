import { nowText, type WriteContext } from '../../../kernel/context.ts'
import { postMail } from '../../../mail/post.ts'
import { passwordChangedLetter } from './letters.ts'

/** Mails the person that the password was changed; it is sent with the change. */
export function noticePasswordChange(ctx: WriteContext, email: string, how: string): void {
  const { config } = ctx.services
  const letter = passwordChangedLetter({
    organization: ctx.organization.name,
    at: nowText(ctx.services),
    url: `${config.publicUrl}/console/forgotten`,
    how,
  })
  postMail(ctx, { to: email, letter })
}
