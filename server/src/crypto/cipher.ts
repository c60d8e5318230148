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
}

export class WrongKey extends Error {}

export const newMasterKey = (): string => randomBytes(keyBytes).toString('base64')

/** AES-256-GCM and HMAC-SHA256 under keys derived from the master key (32 bytes, base64). */
export function cipherWith(masterKey: string): Cipher {
  const master = Buffer.from(masterKey, 'base64')
  if (master.length !== keyBytes) throw new WrongKey('the master key is not 32 bytes in base64')
  const sealing = derive(master, 'flightdeck sealing')
  const signing = derive(master, 'flightdeck signing')

  const sign = (text: string, purpose: string) =>
    createHmac('sha256', signing).update(`${purpose}\n${text}`).digest()

  return {
    seal: (text, purpose) => seal(sealing, text, purpose),
    open: (sealed, purpose) => open(sealing, sealed, purpose),
    sign,
    verify: (text, purpose, signature) => {
      const expected = sign(text, purpose).subarray(0, signature.length)
      return signature.length >= tagBytes && timingSafeEqual(expected, signature)
    },
  }
}

const derive = (master: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', master, '', purpose, keyBytes))

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
