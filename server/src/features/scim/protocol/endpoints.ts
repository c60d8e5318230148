import { Type } from 'typebox'
import { provision, tag } from '../resource.ts'

/** Traits of all endpoints of SCIM. A repeated POST finds its address taken, and needs no key. */
export const ofScim = {
  tag,
  permission: provision,
  isScim: true,
  noStore: true,
  noDryRun: true,
  noKey: true,
} as const

/** Any object: what is not known is taken and left. */
export const AnyBody = Type.Object({}, { additionalProperties: true })
