import { maxEmailLength } from '../values/email.ts'

/** The mail server, and the sender of all mails. */
export type MailSettings = { readonly url: string; readonly from: MailSender }

export type MailSender = { readonly name: string; readonly address: string }

export const smtpUrl = (value: string): string | null => {
  if (value === '') return null
  if (!/^smtps?:\/\/[^/]/.test(value) || !URL.canParse(value)) {
    throw new Error('must be a URL such as smtps://user:password@mail.example.com')
  }
  const { pathname, search, hash } = new URL(value)
  if (!/^\/?$/.test(pathname) || search !== '' || hash !== '') {
    throw new Error('must end after the host and port')
  }
  return value
}

/** A name in quotes or not, before an address in angle brackets; or the address alone. */
function partsOf(value: string): { name: string; address: string } {
  if (!value.endsWith('>')) return { name: '', address: value }
  const at = value.lastIndexOf('<')
  const name = value.slice(0, Math.max(0, at)).trim()
  const unquoted = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  return { name: unquoted, address: value.slice(at + 1, -1) }
}

/** `Acme <ads@example.com>`, or the address alone. */
export const mailSender = (value: string): MailSender | null => {
  if (value === '') return null
  const { name, address } = value.length <= 500 ? partsOf(value) : { name: '', address: '' }
  const isAddress = address.length <= maxEmailLength && /^[^\s<>@,;"]+@[^\s<>@,;"]+$/.test(address)
  // A control character would end a header.
  if (!isAddress || /[<>"\p{Cc}]/u.test(name)) {
    throw new Error('must be an address such as Flightdeck <flightdeck@example.com>')
  }
  return { name, address }
}
