import type { Cipher } from './cipher.ts'

/** A position in a list and its filters, so that a cursor alone can continue. */
export type CursorState = {
  organization: string
  resource: string
  /** A digest of the scope that it was read in; absent without one. */
  scope?: string
  sort: string
  filters: Readonly<Record<string, string | readonly string[]>>
  /** Sort value and id of the last row seen. */
  last: readonly [unknown, string]
  /** The words of a walk that looks for the nearest ones. */
  nearest?: readonly (readonly string[])[] | undefined
}

export type Cursors = {
  write(state: CursorState): string
  /** The state; undefined if the text was not written by this service. */
  read(text: string): CursorState | undefined
}

const purpose = 'cursor'
const signatureBytes = 16

export function cursorsWith(cipher: Cipher): Cursors {
  return {
    write(state) {
      const text = JSON.stringify(state)
      const signature = cipher.sign(text, purpose).subarray(0, signatureBytes)
      return Buffer.concat([signature, Buffer.from(text, 'utf8')]).toString('base64url')
    },
    read(text) {
      const bytes = Buffer.from(text, 'base64url')
      // The decoder skips invalid characters: accept only the canonical encoding.
      if (bytes.toString('base64url') !== text) return undefined
      const body = bytes.subarray(signatureBytes).toString('utf8')
      if (!cipher.verify(body, purpose, bytes.subarray(0, signatureBytes))) return undefined
      // Signed, so it is what `write` was given.
      const state: CursorState = JSON.parse(body)
      return state
    },
  }
}
