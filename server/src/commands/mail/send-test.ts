import { readConfig } from '../../config/config.ts'
import { environment } from '../../config/environment.ts'
import { MailRefused, openTransport } from '../../mail/transport.ts'
import { action, CommandError } from '../command.ts'
import { readEmail } from '../read-account.ts'

export const mailTest = action({
  async run({ text }) {
    const address = readEmail(text('address'))
    const { mail, publicUrl } = readConfig(environment())
    if (!mail) throw new CommandError('FLIGHTDECK_SMTP_URL is not set: nothing is mailed.')
    const transport = await openTransport(mail)
    const letter = {
      subject: 'Flightdeck can send mail',
      lines: ['This is the test that was asked for on the command line.'],
      link: { name: 'Open the console', url: `${publicUrl}/console` },
      remarks: ['Nothing has to be done.'],
    }
    try {
      await transport.send({ to: address, letter }, crypto.randomUUID())
    } catch (error) {
      if (error instanceof MailRefused) throw new CommandError(`Not sent: ${error.message}.`)
      throw error
    } finally {
      transport.close()
    }
    return { address, sent: true }
  },
  show: ({ address }) => `The mail server has taken a mail to ${address}.`,
})
