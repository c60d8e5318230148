import { dateInMail, type Letter, nameInMail } from '../../../mail/letter.ts'
import type { Range } from '../../results/calendar.ts'

type MailedReport = {
  /** The organization. */
  by: string
  name: string
  client: string | null
  period: Range
  every: 'week' | 'month'
  url: string
  expiresAt: string
}

/** Recipients may have no account: nothing in it is about the service, or names a person. */
export function reportLetter(sent: MailedReport): Letter {
  const [by, name, days] = [nameInMail(sent.by), nameInMail(sent.name), daysInMail(sent.period)]
  const client = sent.client === null ? null : nameInMail(sent.client)
  const about = client === null ? '' : ` for ${client}`
  return {
    subject: `${name}: ${client === null ? '' : `${client}, `}${days}`,
    lines: [
      `${by} sends you the report “${name}”${about}, with the results of ${days}.`,
      'It shows the figures as they were when this mail was sent.',
    ],
    link: { name: 'Open the report', url: sent.url },
    remarks: [
      `The link works until ${dateInMail(sent.expiresAt)}, without an account, for all who have it.`,
      `${by} has set up that you get this report every ${sent.every}. To get it no more, ask them.`,
    ],
  }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const dayMs = 86_400_000

/** `1 – 31 October 2026`, with spaces that all programs for mail show. */
const daysInMail = ({ from, to }: Range): string =>
  dayFormat.formatRange(Date.parse(from), Date.parse(to) - dayMs).replaceAll('\u2009', ' ')

/** To the person whose schedule was switched off, as that person does not see its report any more. */
export function unseenLetter(organization: string, publicUrl: string): Letter {
  const name = nameInMail(organization)
  return {
    subject: `A schedule of yours was switched off in ${name}`,
    lines: [
      `You switched on a schedule in ${name} that mails a report. You do not see that report any more, so the schedule is off, and the report is mailed no more.`,
      'Anyone who sees the report and may edit it can switch the schedule on again.',
    ],
    link: { name: 'Open the reports', url: `${publicUrl}/console/reports` },
    remarks: ['Ask an admin of the organization if you should see it.'],
  }
}
