import { createHash } from 'node:crypto'
import { type Access, NetworkFault } from '../../kit/src/connect.ts'

/** Limits of a credential (`rate_scope: DEVELOPER`): all of its accounts wait, not only the one that hears of it. */

const credentials = new WeakMap<Access, string>()
/** When they end, by this process’s clock and by a digest of the credential. */
const limits = new Map<string, number>()

export function belongsTo(access: Access, credential: string): void {
  credentials.set(access, createHash('sha256').update(credential).digest('base64'))
}

export function limitAll(access: Access, seconds: number): void {
  const credential = credentials.get(access)
  if (credential !== undefined) limits.set(credential, performance.now() + seconds * 1_000)
}

/** Throws, and so asks the network nothing, while the credential waits. */
export function checkLimit(access: Access): void {
  const until = limits.get(credentials.get(access) ?? '') ?? 0
  const seconds = Math.ceil((until - performance.now()) / 1_000)
  if (seconds <= 0) return
  throw new NetworkFault('rate_limited', 'The credential waits for its rate limit.', {
    retryAfterSeconds: seconds,
  })
}
