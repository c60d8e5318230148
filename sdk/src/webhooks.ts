/** Verifies webhooks with the platform's own cryptography. */

import type { FlightdeckEvent } from './event.ts'
import { jsonIn } from './json.ts'

/** A `Headers`, Node's `request.headers`, or any object with the names in any case. */
export type WebhookHeaders =
  | Iterable<[string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

type Signed = { id: string; timestamp: string; signature: string }

/** The webhook is not from the service, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export const webhooks = { verify, sign }

const toleranceSeconds = 5 * 60

/**
 * Verifies that the service sent the webhook within the last five minutes, and answers its event. The
 * body is the text or the bytes as received. Given several secrets, one match is enough.
 *
 * Throws a `WebhookVerificationError` with the reason when the webhook is refused, and a `TypeError`
 * when the body or the secret is unusable, which is a mistake in the receiver.
 */
async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<FlightdeckEvent> {
  const keys = await keysOf(secret, 'verify')
  const text = textOf(body)
  const signed = signedIn(headers)
  checkAge(signed)
  await checkSignature(keys, text, signed)
  return eventIn(text)
}

/** The headers of a webhook with this body, to test a receiver. */
async function sign(
  body: string | object,
  secret: string,
  { id = 'evt_test', at = new Date() }: { id?: string; at?: Date } = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const [key] = await keysOf(secret, 'sign')
  if (!key) throw new TypeError('There is no secret to sign with')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const bytes = await crypto.subtle.sign('HMAC', key, contentOf(text, { id, timestamp }))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`,
  }
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

function keysOf(secret: string | readonly string[], use: 'sign' | 'verify'): Promise<CryptoKey[]> {
  const secrets = [secret].flat()
  if (secrets.length === 0) throw new TypeError('There is no secret to verify with')
  return Promise.all(
    secrets.map((each) => {
      const bytes = bytesIn(each.replace(/^whsec_/, ''))
      if (!bytes?.length)
        throw new TypeError('The secret is not "whsec_" and base64, as it was shown')
      return crypto.subtle.importKey('raw', bytes, algorithm, false, [use])
    }),
  )
}

/** The bytes of a text in base64, or undefined. */
function bytesIn(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const contentOf = (text: string, { id, timestamp }: Omit<Signed, 'signature'>) =>
  new TextEncoder().encode(`${id}.${timestamp}.${text}`)

function textOf(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === 'string') return body
  if (!(body instanceof Uint8Array || body instanceof ArrayBuffer)) {
    throw new TypeError('The body is neither text nor bytes: verify it before it is parsed')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8')
  }
}

function signedIn(headers: WebhookHeaders): Signed {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  const given = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]))
  const headerOf = (name: string) => {
    const value = [given.get(name) ?? ''].flat().join(' ')
    if (value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
    return value
  }
  return {
    id: headerOf('webhook-id'),
    timestamp: headerOf('webhook-timestamp'),
    signature: headerOf('webhook-signature'),
  }
}

function checkAge({ timestamp }: Signed): void {
  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const ageSeconds = Date.now() / 1000 - sentAt
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const reason = Number.isNaN(ageSeconds) ? 'is no time' : 'is more than five minutes off'
  throw new WebhookVerificationError(`The webhook-timestamp ${reason}`)
}

/** The header may carry several signatures, as during the rotation of a secret. */
async function checkSignature(keys: CryptoKey[], text: string, signed: Signed): Promise<void> {
  const content = contentOf(text, signed)
  const given = signed.signature.split(' ').flatMap((each) => {
    const [version, value = ''] = each.split(',')
    const bytes = version === 'v1' ? bytesIn(value) : undefined
    return bytes ? [bytes] : []
  })
  for (const key of keys) {
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return
    }
  }
  throw new WebhookVerificationError('No signature matches')
}

function eventIn(text: string): FlightdeckEvent {
  const value = jsonIn(text)
  if (!isEvent(value)) throw new WebhookVerificationError('The body is signed, but is not an event')
  return value
}

/** The signature proves that the service sent it, so a quick check of the shape is enough. */
function isEvent(value: unknown): value is FlightdeckEvent {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && 'type' in value && 'data' in value
}
