import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { WebhookEvent } from './webhook-event.ts'

export { WebhookVerificationError }

/** A `Headers`, Node's `request.headers`, or any object with the names in any case. */
export type WebhookHeaders =
  | Iterable<[string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export const webhooks = { verify }

/**
 * Verifies that the service sent the webhook within the last five minutes, and answers its event. The
 * body is the text or the bytes as received. Given several secrets, one match is enough.
 *
 * Throws a `WebhookVerificationError` with the reason when the webhook is refused, and a `TypeError`
 * when the body or the secret is unusable, which is a mistake in the receiver.
 */
function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  const verifiers = verifiersOf(secret)
  const text = textOf(body)
  checkSignature(verifiers, text, signatureIn(headers))
  return eventIn(text)
}

function verifiersOf(secret: string | readonly string[]): Webhook[] {
  const secrets = [secret].flat()
  if (secrets.length === 0) throw new TypeError('There is no secret to verify with')
  return secrets.map((each) => {
    try {
      return new Webhook(each)
    } catch (cause) {
      throw new TypeError('The secret is not "whsec_" and base64, as it was shown', { cause })
    }
  })
}

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

const signatureNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** The three signed headers, under the names that the library expects. */
function signatureIn(headers: WebhookHeaders): Record<string, string> {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  const given = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    signatureNames.map((name) => {
      const value = [given.get(name) ?? ''].flat().join(' ')
      if (value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
      return [name, value]
    }),
  )
}

function checkSignature(
  verifiers: readonly Webhook[],
  text: string,
  headers: Record<string, string>,
): void {
  let refusal: unknown
  for (const verifier of verifiers) {
    try {
      verifier.verify(text, headers, { jsonParse: false })
      return
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

function eventIn(text: string): WebhookEvent {
  const value = jsonIn(text)
  if (!isEvent(value)) throw new WebhookVerificationError('The body is signed, but is not an event')
  return value
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The signature proves that the service sent it, so a quick check of the shape is enough. */
function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && 'type' in value && 'data' in value
}
