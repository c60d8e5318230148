import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, fault } from '../problems/fault.ts'

export const passwordLength = { minLength: 12, maxLength: 256 } as const

const commonFile = join(import.meta.dirname, 'common-passwords.txt')
let common: Set<string> | undefined

const commonPasswords = (): Set<string> => {
  common ??= new Set(readFileSync(commonFile, 'utf8').split('\n'))
  return common
}

/** Faults of a chosen password: its length, or that it is too common. */
export function passwordFaults(password: string, pointer: string): Fault[] {
  const length = [...password].length
  const { minLength, maxLength } = passwordLength
  if (length < minLength) {
    return [
      fault(pointer, 'too_short', `must have at least ${minLength} characters`, {
        limit: minLength,
      }),
    ]
  }
  if (length > maxLength) {
    return [
      fault(pointer, 'too_long', `must have at most ${maxLength} characters`, { limit: maxLength }),
    ]
  }
  if (commonPasswords().has(password.toLowerCase())) {
    return [fault(pointer, 'password_too_common', 'is among the most common passwords')]
  }
  return []
}
