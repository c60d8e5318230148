import { createHash } from 'node:crypto'

export const sha256 = (content: string | Uint8Array): Buffer =>
  createHash('sha256').update(content).digest()

/** A strong entity tag for the content. */
export const tagOf = (content: string | Uint8Array): string =>
  `"${sha256(content).toString('base64url').slice(0, 22)}"`
