import type { Schema } from '../../flightdeck.ts'
import type { Marks } from './chain.ts'

type Checkpoint = Schema<'AuditCheckpoint'>
type Keys = readonly (JsonWebKey & { kid?: string })[]

/** `retired`: its key is not published any more, so the signature cannot be checked here. */
export type Signature = 'signed' | 'retired' | 'forged'

/** The keys that the service publishes. */
export async function publishedKeys(signal: AbortSignal): Promise<Keys> {
  const answer = await fetch('/.well-known/jwks.json', { signal })
  if (!answer.ok) throw new TypeError(`The keys cannot be read: ${answer.status}`)
  return (await answer.json()).keys
}

/** Whether a published key has signed exactly what the checkpoint says. */
export async function checkSignature(
  checkpoint: Checkpoint,
  { keys, organizationId }: { keys: Keys; organizationId: string },
): Promise<Signature> {
  const jwk = keys.find(({ kid }) => kid === checkpoint.key_id)
  if (!jwk) return 'retired'
  const [head = '', payload = '', signature = ''] = checkpoint.signature.split('.')
  const { kid, typ, alg } = JSON.parse(decodedText(head))
  const { org, sequence, hash, iat } = JSON.parse(decodedText(payload))
  const isShown =
    kid === checkpoint.key_id &&
    typ === 'audit-checkpoint+jwt' &&
    alg === 'EdDSA' &&
    org === organizationId &&
    sequence === checkpoint.sequence &&
    hash === checkpoint.head_hash &&
    iat === Date.parse(checkpoint.signed_at) / 1_000
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
  const signed = new TextEncoder().encode(`${head}.${payload}`)
  const isSigned = await crypto.subtle.verify('Ed25519', key, bytesOf(signature), signed)
  return isShown && isSigned ? 'signed' : 'forged'
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  )

const decodedText = (base64url: string) => new TextDecoder().decode(bytesOf(base64url))

export type Checked = { checkpoint: Checkpoint; signature: Signature }

/** The hashes that the chain must have by its checkpoints. */
export const marksOf = (checked: readonly Checked[]): Marks =>
  new Map(
    checked.map(({ checkpoint: { sequence, head_hash }, signature }) => [
      sequence,
      signature === 'forged' ? null : head_hash,
    ]),
  )
