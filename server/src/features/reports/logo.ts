/** Logos of reports: PNG or JPEG, known by their bytes. Pure. */

import { type Fault, fault } from '../../problems/fault.ts'

const maxLogoBytes = 200_000

/** Base64 of the largest logo. */
export const maxLogoText = Math.ceil(maxLogoBytes / 3) * 4

export const logoTypes = ['image/png', 'image/jpeg'] as const

export type Logo = { type: (typeof logoTypes)[number]; bytes: number; content: string }

const signatures = [
  { type: 'image/png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff]) },
] as const

/** A logo as it was sent: base64. What other programs decode differently is refused. */
export function readLogo(content: string): { logo: Logo } | { fault: Fault } {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64') !== content) {
    return { fault: fault('/logo', 'invalid_format', 'is not base64 with its padding') }
  }
  if (bytes.length > maxLogoBytes) {
    const message = `has more than ${maxLogoBytes} bytes`
    return { fault: fault('/logo', 'too_long', message, { limit: maxLogoBytes }) }
  }
  const known = signatures.find((each) => bytes.subarray(0, each.bytes.length).equals(each.bytes))
  if (!known) return { fault: fault('/logo', 'invalid_format', 'is neither a PNG nor a JPEG') }
  return { logo: { type: known.type, bytes: bytes.length, content } }
}
