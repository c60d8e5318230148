import type { Cipher } from '../crypto/cipher.ts'
import { WrongKey } from '../crypto/cipher.ts'

/** What a backup file takes from the master key. */
export type FileKey = {
  /** Tells one master key from another, and does not tell the key. */
  fingerprint: Buffer
  /** Of the HMAC over all that is in the file. */
  digestKey: Buffer
}

export const fileKeyOf = (cipher: Cipher): FileKey => ({
  fingerprint: cipher.sign('Flightdeck', 'backup_fingerprint'),
  digestKey: cipher.sign('Flightdeck', 'backup_digest'),
})

export const otherKey = (): WrongKey =>
  new WrongKey(
    'The backup was made with another master key. Set FLIGHTDECK_MASTER_KEY to the key of the service that made it, or put its master.key into the data directory.',
  )
