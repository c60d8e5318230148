import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts values that must be readable again (signing keys, webhook secrets, proxy credentials).
 */
export type Cipher = {
  /** `purpose` is authenticated: a value sealed for one column cannot be opened as another. */
  seal(text: string, purpose: string): string
  open(sealed: string, purpose: string): string
  /** A keyed digest for values that leave the service and must return unchanged. */
  sign(text: string, purpose: string): Buffer
  verify(text: string, purpose: string, signature: Buffer): boolean
  /** The id of the key that seals and signs. */
  readonly keyId: number
}

export class WrongKey extends Error {}

/** Keys derived from one master key. */
export type DerivedKeys = { id: number; sealing: Buffer; signing: Buffer }

/** All keys are accepted; one seals and signs. */
export type KeySet = { active: DerivedKeys; all: readonly DerivedKeys[] }

export const newMasterKey = (): string => randomBytes(keyBytes).toString('base64')

const firstId = 1

/** AES-256-GCM and HMAC-SHA256 under one master key (32 bytes, base64), the first. */
export function cipherWith(masterKey: string): Cipher {
  const active = deriveKeys(firstId, masterKey)
  const keys = { active, all: [active] }
  return cipherOf(() => keys)
}

export function deriveKeys(id: number, masterKey: string): DerivedKeys {
  const master = Buffer.from(masterKey, 'base64')
  if (master.length !== keyBytes) throw new WrongKey('the master key is not 32 bytes in base64')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', purpose, keyBytes))
  return { id, sealing: derive('flightdeck sealing'), signing: derive('flightdeck signing') }
}

/** As `keys` answers at the time of each call. */
export const cipherOf = (keys: () => KeySet): Cipher => ({
  seal: (text, purpose) => {
    const { id, sealing } = keys().active
    return prefixOf(id) + seal(sealing, text, purpose)
  },
  open: (sealed, purpose) => {
    const { id, value } = parsed(sealed)
    const key = keys().all.find((each) => each.id === id)
    if (!key) throw new WrongKey(`sealed with master key ${id}, which is not known here`)
    return open(key.sealing, value, purpose)
  },
  sign: (text, purpose) => signature(keys().active, text, purpose),
  verify: (text, purpose, given) =>
    given.length >= tagBytes &&
    keys().all.some((key) =>
      timingSafeEqual(signature(key, text, purpose).subarray(0, given.length), given),
    ),
  get keyId() {
    return keys().active.id
  },
})

/** A signature as text, with the id of its key like a sealed value. */
export const signText = (cipher: Cipher, text: string, purpose: string): string =>
  prefixOf(cipher.keyId) + cipher.sign(text, purpose).toString('base64url')

export const isSignedText = (
  cipher: Cipher,
  { text, signed }: { text: string; signed: string },
  purpose: string,
): boolean => cipher.verify(text, purpose, Buffer.from(parsed(signed).value, 'base64url'))

/** The same value as if under the active key, which does not open it. */
export const relabelled = (cipher: Cipher, sealed: string): string =>
  prefixOf(cipher.keyId) + parsed(sealed).value

/** Values under the first key have none: so they were before there could be others. */
const prefixOf = (id: number): string => (id === firstId ? '' : `${id}.`)

function parsed(sealed: string): { id: number; value: string } {
  const [, id, value] = /^(\d{1,9})\.(.*)$/s.exec(sealed) ?? []
  return value === undefined ? { id: firstId, value: sealed } : { id: Number(id), value }
}

const signature = ({ signing }: DerivedKeys, text: string, purpose: string): Buffer =>
  createHmac('sha256', signing).update(`${purpose}\n${text}`).digest()

function seal(key: Buffer, text: string, purpose: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

function open(key: Buffer, sealed: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const body = bytes.subarray(nonceBytes + tagBytes)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new WrongKey('sealed with another master key, or damaged', { cause })
  }
}
