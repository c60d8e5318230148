import { hash, randomInt } from 'node:crypto'
import { organizationIds } from '../values/core-ids.ts'

/** The parts of a key used for lookup: the organization and the hash. */
export type ApiKeyClaims = { readonly organizationId: string; readonly hash: string }

export const apiKeyPrefix = 'fdk_'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 > 2^256 */
const secretLength = 43

const { prefix } = organizationIds
const pattern = new RegExp(
  `^${apiKeyPrefix}([0-7][0-9a-hjkmnp-tv-z]{25})_[0-9A-Za-z]{${secretLength}}$`,
)

/** `fdk_<the organization's id without its prefix>_<256 random bits in base 62>` */
export function newApiKey(organizationId: string): string {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(digits.length)])
  return `${apiKeyPrefix}${organizationId.slice(prefix.length + 1)}_${secret.join('')}`
}

/** Undefined if the text is not a key. */
export function readApiKey(key: string): ApiKeyClaims | undefined {
  const suffix = pattern.exec(key)?.[1]
  return suffix ? { organizationId: `${prefix}_${suffix}`, hash: hashOf(key) } : undefined
}

/** Keys are random and cannot be guessed, so a fast hash is as safe as a slow one. */
export const hashOf = (key: string): string => hash('sha256', key)
