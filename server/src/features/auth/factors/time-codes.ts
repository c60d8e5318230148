import { Secret, TOTP } from 'otpauth'

// Time codes of RFC 6238, as every authenticator app makes them.

const secretBytes = 20
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks of phones are off by this many steps at most. */
const stepsOff = 1

/** A new secret, in base32. */
export const newTimeSecret = (): string => new Secret({ size: secretBytes }).base32

type Labels = { readonly issuer: string; readonly label: string }

/** The address that an app reads from a QR code. */
export const otpauthUrl = (secret: string, labels: Labels): string =>
  new TOTP({ ...shape, ...labels, secret: Secret.fromBase32(secret) }).toString()

/** The step that a code is of; null for none near this time. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...shape, secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const off = totp.validate({ token: code, timestamp, window: stepsOff })
  return off === null ? null : totp.counter({ timestamp }) + off
}
