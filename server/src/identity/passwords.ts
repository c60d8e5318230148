import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { trimEnd } from '../values/trim-end.ts'
import { type Hashing, hashingLanes } from './hashing.ts'

const argon2Async = promisify(argon2)

const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const saltBytes = 16

export type Passwords = {
  hash(password: string, hashing: Hashing): Promise<string>
  /** Takes equally long for `undefined` (no such user), `''` (no password) and a real hash. */
  verify(password: string, stored: string | undefined, hashing: Hashing): Promise<boolean>
}

export type Digest = (password: string, nonce: Buffer) => Promise<Buffer>

const argon2id: Digest = (password, nonce) =>
  argon2Async('argon2id', { ...cost, message: password.normalize('NFC'), nonce })

/** argon2id with bounded concurrency, so that logins cannot starve other work. */
export function passwordHasher(digest = argon2id): Passwords {
  const inLane = hashingLanes()

  return {
    async hash(password, hashing) {
      const salt = randomBytes(saltBytes)
      return phcText(salt, await inLane(hashing, () => digest(password, salt)))
    },
    async verify(password, stored, hashing) {
      const { salt, hash } = parsePhc(stored || unknownUserHash)
      const given = await inLane(hashing, () => digest(password, salt))
      return timingSafeEqual(given, hash) && Boolean(stored)
    },
  }
}

const unpadded = (bytes: Buffer) => trimEnd(bytes.toString('base64'), '=')

const phcText = (salt: Buffer, hash: Buffer) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`

const unknownUserHash = phcText(Buffer.alloc(saltBytes), Buffer.alloc(cost.tagLength))

function parsePhc(text: string): { salt: Buffer; hash: Buffer } {
  const [, , , , salt = '', hash = ''] = text.split('$')
  return { salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

// No look-alikes; 20 of 31 characters give 99 bits.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A random password for display: four groups of five. */
export const randomPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')
