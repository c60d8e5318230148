import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { MailSettings } from '../config/mail-settings.ts'
import { headerText, htmlOf, textOf } from './letter.ts'
import type { Mail } from './post.ts'

/** Connections to the mail server, kept while there are mails to send. */
export type Transport = {
  /** Throws `MailRefused`. `id` lets a reader's program see that two copies are one mail. */
  send(mail: Mail, id: string): Promise<void>
  close(): void
}

/** The reason in words that hold neither an address nor a password. */
export class MailRefused extends Error {
  /** The server will never take it for this recipient. */
  readonly isFinal: boolean

  constructor(reason: string, isFinal = false) {
    super(reason)
    this.isFinal = isFinal
  }
}

const deadlineMs = 10_000
/** Mails that are sent at the same time. */
export const connections = 5

export async function openTransport({ url, from }: MailSettings): Promise<Transport> {
  // The library is loaded only where there is a mail to send.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...serverIn(url),
    pool: true,
    maxConnections: connections,
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const deliver = ({ to, letter }: Mail, id: string) =>
    transport.sendMail({
      from,
      to: { name: '', address: to },
      // The recipient as it is, however the header may be read.
      envelope: { from: from.address, to: [to] },
      messageId: `<${id}@${from.address.split('@')[1]}>`,
      subject: headerText(letter.subject),
      text: textOf(letter),
      html: htmlOf(letter),
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  return {
    send: (mail, id) => inTime(deliver(mail, id)),
    close: () => transport.close(),
  }
}

function serverIn(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(username)
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password goes over no line that others may read.
    ...(user && { auth: { user, pass: decodeURIComponent(password) }, requireTLS: !isHere(host) }),
  }
}

const isHere = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

async function inTime(sending: Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  const late = setTimeout(deadlineMs, null, { signal: ended.signal }).then(() => {
    throw new MailRefused(`the mail server did not answer in ${deadlineMs / 1_000} s`)
  })
  try {
    await Promise.race([sending, late])
  } catch (error) {
    throw error instanceof MailRefused ? error : refusalOf(error)
  } finally {
    ended.abort()
    late.catch(() => {})
    sending.catch(() => {})
  }
}

/** Messages of servers may repeat the address. */
function refusalOf(error: unknown): MailRefused {
  const { code, responseCode, command } = Object(error)
  if (typeof responseCode === 'number') {
    const isFinal = responseCode >= 500 && code === 'EENVELOPE'
    return new MailRefused(`the mail server answered ${responseCode} to ${command}`, isFinal)
  }
  return new MailRefused(`the mail server cannot be used: ${String(code ?? 'unknown error')}`)
}
