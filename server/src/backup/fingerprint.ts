import type { Cipher } from '../kernel/secrets.ts'
import { WrongKey } from '../kernel/secrets.ts'

/** Tells one master key from another, and does not tell the key. */
export const fingerprintOf = (cipher: Cipher): string =>
  cipher.sign('Flightdeck', 'backup_fingerprint').toString('hex')

export function checkFingerprint(cipher: Cipher, fingerprint: string): void {
  if (fingerprintOf(cipher) === fingerprint) return
  throw new WrongKey(
    'The backup was made with another master key. Set FLIGHTDECK_MASTER_KEY to the key of the service that made it, or put its master.key into the data directory.',
  )
}
