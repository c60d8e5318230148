import { randomBytes, randomInt } from 'node:crypto'
import { sha256Hex } from '../../../values/canonical-json.ts'

/** Consonants alone: no code is a word, and none has a letter that looks like a digit. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8
const half = length / 2
const secretBytes = 32

/** A code that a person types, and the secret that the program keeps: it begins with the code. */
export type Code = { readonly code: string; readonly secret: string }

export function newCode(): Code {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
  return { code, secret: code + randomBytes(secretBytes).toString('base64url') }
}

/** The form in which it is shown: `BCDF-GHJK`. */
export const shownCode = (code: string): string => `${code.slice(0, half)}-${code.slice(half)}`

/** The hash of a code however it is typed. */
export const hashOfTyped = (typed: string): string =>
  sha256Hex(typed.toUpperCase().replaceAll(/[^A-Z]/g, ''))

/** The hashes of the code of a secret, and of itself. */
export const hashesOf = (secret: string) => ({
  code_hash: sha256Hex(secret.slice(0, length)),
  secret_hash: sha256Hex(secret),
})
