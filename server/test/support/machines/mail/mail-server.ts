import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  /** The recipients of the envelope. */
  to: string[]
  headers: Map<string, string[]>
  /** The part in plain text, and in HTML. */
  text: string
  html: string
  raw: string
}

export type MailServer = {
  url: string
  mails: ReceivedMail[]
  /** How it answers from now on: taken, refused with a code, or never. */
  answer: 'taken' | 'never' | number
  close(): Promise<void>
}

/** A mail server on this machine, which keeps what it is sent. */
export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo(_, __, callback) {
      if (opened.answer === 'never') return
      if (opened.answer === 'taken') callback()
      else callback(Object.assign(new Error('refused'), { responseCode: opened.answer }))
    },
    onData(stream, session, callback) {
      void text(stream).then((raw) => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, ...readMail(raw) })
        callback()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const opened: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    answer: 'taken',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return opened
}

export const mailSettings = ({ url }: Pick<MailServer, 'url'>) => ({
  FLIGHTDECK_SMTP_URL: url,
  FLIGHTDECK_MAIL_FROM: 'Flightdeck <flightdeck@example.com>',
  FLIGHTDECK_PUBLIC_URL: 'https://flightdeck.example.com',
})

function readMail(raw: string): Omit<ReceivedMail, 'to'> {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  const headers = new Map(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, found]) => [
      name,
      found.map(([, value]) => value),
    ]),
  )
  return { headers, text: partOf(raw, 'text/plain'), html: partOf(raw, 'text/html'), raw }
}

function partOf(raw: string, type: string): string {
  const after = raw.split(`Content-Type: ${type}`)[1] ?? ''
  const [head = '', ...rest] = after.split('\r\n\r\n')
  const [body = ''] = rest.join('\r\n\r\n').split('\r\n--')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
