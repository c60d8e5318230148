import type { Cipher } from './cipher.ts'

/** Where a walk stands, and what it walks over. Carries its filters, so a cursor alone continues. */
export type CursorState = {
  organization: string
  resource: string
  sort: string
  filters: Record<string, string>
  /** Sort value and id of the last row seen. */
  last: readonly [unknown, string]
}

export type Cursors = {
  write(state: CursorState): string
  /** The state, or undefined when the text was not written by this service. */
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
      // Decoding skips foreign characters: only the text that we wrote decodes to itself.
      if (bytes.toString('base64url') !== text) return undefined
      const body = bytes.subarray(signatureBytes).toString('utf8')
      const isOurs = cipher.verify(body, purpose, bytes.subarray(0, signatureBytes))
      return isOurs ? (JSON.parse(body) as CursorState) : undefined
    },
  }
}
