import { nowText, type WriteContext } from '../../../kernel/context.ts'
import { dateInMail, type Letter, nameInMail } from '../../../mail/letter.ts'
import { postMail } from '../../../mail/post.ts'

type Notice = { organization: string; at: string; url: string; what: string; next: string }

/** The notice that is always sent; `what` begins a sentence. */
const factorsChangedLetter = ({ organization, at, url, what, next }: Notice): Letter => ({
  subject: 'The second factors of your Flightdeck login changed',
  lines: [`${what}, in ${nameInMail(organization)} on ${dateInMail(at)}.`, next],
  link: { name: 'It was not me: set a new password', url },
  remarks: ['Then look through your second factors, or ask an admin to remove them.'],
})

const byOneself = 'If that was you, nothing has to be done.'

/** Mails the person what happened to the factors, and what to do next; it is sent with the change. */
export function noticeFactors(
  ctx: WriteContext,
  email: string,
  { what, next = byOneself }: { what: string; next?: string },
): void {
  const { config } = ctx.services
  const letter = factorsChangedLetter({
    organization: ctx.organization.name,
    at: nowText(ctx.services),
    url: `${config.publicUrl}/console/forgotten`,
    what,
    next,
  })
  postMail(ctx, { to: email, letter })
}
