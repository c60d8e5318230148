import { dateInMail, type Letter, nameInMail } from '../../../mail/letter.ts'

type ResetFacts = { by: string | null; organization: string; url: string; expiresAt: string }

/** The link to set a password; `by` is the admin who asked for it. */
export const resetLetter = ({ by, organization, url, expiresAt }: ResetFacts): Letter => ({
  subject: 'Set a new Flightdeck password',
  lines: [
    by === null
      ? `You, or someone who knows your address, asked for a new password in ${nameInMail(organization)}.`
      : `${nameInMail(by)} asks you to set a new password in ${nameInMail(organization)}.`,
  ],
  link: { name: 'Set a new password', url },
  remarks: [
    `The link works once, until ${dateInMail(expiresAt)}. It ends all of your sessions.`,
    'If you did not ask for it, ignore this mail: your password stays as it is.',
  ],
})

type Changed = { organization: string; at: string; url: string; how: string }

/** The notice that is always sent. */
export const passwordChangedLetter = ({ organization, at, url, how }: Changed): Letter => ({
  subject: 'Your Flightdeck password was changed',
  lines: [
    `Your password in ${nameInMail(organization)} was changed on ${dateInMail(at)}, ${how}.`,
    'If that was you, nothing has to be done.',
  ],
  link: { name: 'It was not me: set a new password', url },
  remarks: ['All other sessions have ended.'],
})
