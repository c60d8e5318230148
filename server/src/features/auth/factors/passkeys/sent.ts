import type { Passkey } from './schema.ts'

// Reads whom a passkey is for, before its signature is judged.

const textIn = (from: unknown, name: string): string => {
  const value: unknown = isRecord(from) ? from[name] : undefined
  return typeof value === 'string' ? value : ''
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** As long as WebAuthn lets it be: 1,023 bytes. */
const credentialIds = /^[\w-]{1,1364}$/

export const credentialIdIn = (passkey: Passkey): string =>
  credentialIds.exec(textIn(passkey, 'id'))?.[0] ?? ''

/** The user whose passkey it says to be; the signature decides. */
export const userIdIn = ({ response }: Passkey): string =>
  /^\w{1,64}$/.exec(Buffer.from(textIn(response, 'userHandle'), 'base64url').toString())?.[0] ?? ''

export function challengeIn({ response }: Passkey): string {
  const text = Buffer.from(textIn(response, 'clientDataJSON'), 'base64url').toString()
  try {
    return textIn(JSON.parse(text), 'challenge')
  } catch {
    return ''
  }
}
