import { nowText, type WriteContext } from '../../../kernel/context.ts'
import { dateInMail, type Letter, nameInMail } from '../../../mail/letter.ts'
import { postMail } from '../../../mail/post.ts'

type Notice = { organization: string; at: string; url: string; what: string }

/** The notice that is always sent; `what` begins a sentence. */
const factorsChangedLetter = ({ organization, at, url, what }: Notice): Letter => ({
  subject: 'The second factors of your Flightdeck login changed',
  lines: [
    `${what}, in ${nameInMail(organization)} on ${dateInMail(at)}.`,
    'If that was you, nothing has to be done.',
  ],
  link: { name: 'It was not me: set a new password', url },
  remarks: ['Then look through your second factors, or ask an admin to remove them.'],
})

/** Mails the person what happened to the factors; it is sent with the change. */
export function noticeFactors(ctx: WriteContext, email: string, what: string): void {
  const { config } = ctx.services
  const letter = factorsChangedLetter({
    organization: ctx.organization.name,
    at: nowText(ctx.services),
    url: `${config.publicUrl}/console/forgotten`,
    what,
  })
  postMail(ctx, { to: email, letter })
}
