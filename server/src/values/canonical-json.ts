import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** The RFC 8785 text of a JSON value: equal values yield equal bytes. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')
