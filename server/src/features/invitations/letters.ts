import { dateInMail, type Letter, nameInMail } from '../../mail/letter.ts'

type Invited = { by: string; to: string; role: string; url: string; expiresAt: string }

export function invitationLetter({ by, to, role, url, expiresAt }: Invited): Letter {
  const [inviter, organization] = [nameInMail(by), nameInMail(to)]
  const article = /^[aeo]/.test(role) ? 'an' : 'a'
  return {
    subject: `${inviter} invites you to ${organization} on Flightdeck`,
    lines: [
      `${inviter} asks you to join ${organization} on Flightdeck, as ${article} ${role}.`,
      'Choose a name and a password, and you are in.',
    ],
    link: { name: 'Join', url },
    remarks: [
      `The link works once, until ${dateInMail(expiresAt)}.`,
      'If you do not know who this is from, ignore this mail: nothing happens.',
    ],
  }
}
