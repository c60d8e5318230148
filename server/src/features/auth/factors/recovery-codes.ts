import { randomPassword } from '../../../identity/passwords.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'

const count = 10

/** Codes for people who have lost the other factors; each has 99 bits. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, randomPassword)

/** The form that is stored, of a code however it is typed. */
export const hashOfCode = (code: string): string =>
  sha256Hex(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
