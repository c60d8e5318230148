import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** RFC 8785 text of a JSON value: the same value always gives the same bytes. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')
