import { hash, randomInt } from 'node:crypto'
import { idPrefixes } from '../values/ids.ts'

/** What a key says of itself: where to look for it, and what it is found by. */
export type ApiKeyClaims = { readonly organizationId: string; readonly hash: string }

export const apiKeyPrefix = 'fdk_'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 > 2^256 */
const secretLength = 43

const { organization } = idPrefixes
const pattern = new RegExp(
  `^${apiKeyPrefix}([0-7][0-9a-hjkmnp-tv-z]{25})_[0-9A-Za-z]{${secretLength}}$`,
)

/** `fdk_<the organization's id without its prefix>_<256 random bits in base 62>` */
export function newApiKey(organizationId: string): string {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(digits.length)])
  return `${apiKeyPrefix}${organizationId.slice(organization.length + 1)}_${secret.join('')}`
}

/** Undefined for what cannot be a key. */
export function readApiKey(key: string): ApiKeyClaims | undefined {
  const suffix = pattern.exec(key)?.[1]
  return suffix ? { organizationId: `${organization}_${suffix}`, hash: hashOf(key) } : undefined
}

/** A key cannot be guessed, so a quick digest keeps it as well as a slow one would. */
export const hashOf = (key: string): string => hash('sha256', key)
