import type { Cipher } from '../crypto/cipher.ts'
import { WrongKey } from '../crypto/cipher.ts'

/** Values of a backup file that are derived from the master key. */
export type FileKey = {
  /** Identifies the master key without revealing it. */
  fingerprint: Buffer
  /** The key of the HMAC over the file's content. */
  digestKey: Buffer
}

export const fileKeyOf = (cipher: Cipher): FileKey => ({
  fingerprint: cipher.sign('Flightdeck', 'backup_fingerprint'),
  digestKey: cipher.sign('Flightdeck', 'backup_digest'),
})

export const otherKey = (): WrongKey =>
  new WrongKey(
    'The backup was created with another master key. Set FLIGHTDECK_MASTER_KEY to the key of the service that created it, or put its master.key into the data directory.',
  )
