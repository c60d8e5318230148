import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Fault, fault } from '../problems/problem.ts'
import { type Hashing, hashingLanes } from './hashing.ts'
import { trimEnd } from '../values/trim-end.ts'

const argon2Async = promisify(argon2)

const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const saltBytes = 16
const shortest = 12
const longest = 256

export type Passwords = {
  hash(password: string, hashing: Hashing): Promise<string>
  /** Takes as long for `undefined` (no such user) as for a real hash. */
  verify(password: string, stored: string | undefined, hashing: Hashing): Promise<boolean>
}

export type Digest = (password: string, nonce: Buffer) => Promise<Buffer>

export const argon2id: Digest = (password, nonce) =>
  argon2Async('argon2id', { ...cost, message: password.normalize('NFC'), nonce })

/** argon2id, at most a few at once, so that logins cannot starve everything else. */
export function passwordHasher(digest = argon2id): Passwords {
  const inLane = hashingLanes()

  return {
    async hash(password, hashing) {
      const salt = randomBytes(saltBytes)
      return phcText(salt, await inLane(hashing, () => digest(password, salt)))
    },
    async verify(password, stored, hashing) {
      const { salt, hash } = parsePhc(stored ?? nobodysHash)
      const given = await inLane(hashing, () => digest(password, salt))
      return timingSafeEqual(given, hash) && stored !== undefined
    },
  }
}

const unpadded = (bytes: Buffer) => trimEnd(bytes.toString('base64'), '=')

const phcText = (salt: Buffer, hash: Buffer) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`

const nobodysHash = phcText(Buffer.alloc(saltBytes), Buffer.alloc(cost.tagLength))

function parsePhc(text: string): { salt: Buffer; hash: Buffer } {
  const [, , , , salt = '', hash = ''] = text.split('$')
  return { salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

const commonFile = join(import.meta.dirname, 'common-passwords.txt')
let common: Set<string> | undefined

const commonPasswords = (): Set<string> => {
  common ??= new Set(readFileSync(commonFile, 'utf8').split('\n'))
  return common
}

/** What is wrong with a password that somebody chooses: its length, or that everybody has it. */
export function passwordFaults(password: string, pointer: string): Fault[] {
  const length = [...password].length
  if (length < shortest) {
    return [
      fault(pointer, 'too_short', `must have at least ${shortest} characters`, { limit: shortest }),
    ]
  }
  if (length > longest) {
    return [
      fault(pointer, 'too_long', `must have at most ${longest} characters`, { limit: longest }),
    ]
  }
  if (commonPasswords().has(password.toLowerCase())) {
    return [fault(pointer, 'password_too_common', 'is among the most common passwords')]
  }
  return []
}

// Without look-alikes; 20 of 31 characters are 99 bits.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A password to print once: four groups of five. */
export const randomPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')
