import { type Cipher, cipherWith, WrongKey } from './cipher.ts'

const proofPurpose = 'master_key_proof'
const keyPurpose = (id: number) => `master_keys.key ${id}`

/** A sealed constant, by which a master key is recognized. */
export const newProof = (masterKey: string): string =>
  cipherWith(masterKey).seal('Flightdeck', proofPurpose)

/** `cipher` is of one master key alone. */
export const isProofOf = (cipher: Cipher, proof: string): boolean =>
  opened(cipher, proof, proofPurpose) !== undefined

/** One of two master keys, sealed under the other one. */
export const sealKey = (under: string, { id, key }: { id: number; key: string }): string =>
  cipherWith(under).seal(key, keyPurpose(id))

/** Undefined if it was sealed under another key. */
export const openKey = (under: string, { id, sealed }: { id: number; sealed: string }) =>
  opened(cipherWith(under), sealed, keyPurpose(id))

function opened(cipher: Cipher, sealed: string, purpose: string): string | undefined {
  try {
    return cipher.open(sealed, purpose)
  } catch (error) {
    if (error instanceof WrongKey) return undefined
    throw error
  }
}

export const otherMasterKey = (): WrongKey =>
  new WrongKey(
    'The master key is not the one that this database was created with, or was changed to. Set FLIGHTDECK_MASTER_KEY, or put the right master.key into the data directory.',
  )
