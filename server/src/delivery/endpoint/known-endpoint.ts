import { openSecrets } from '../../crypto/webhook-secret.ts'
import type { Services } from '../../kernel/context.ts'
import { aheadOf, type Clock } from '../../values/clock.ts'
import type { Endpoint } from '../due.ts'
import type { Secrets } from './attempt.ts'

/** The endpoint as it was last read. */
export type KnownEndpoint = {
  /** The clock of its organization. */
  readonly clock: Clock
  /** How far that is ahead of real time. */
  aheadMs(): number
  url(): string
  /** Returns whether what is known of its health is about another time, or another URL. */
  update(endpoint: Endpoint): boolean
  /** Decrypted once per read. */
  secretsOf(endpoint: Endpoint): Secrets
}

export function knownEndpoint(services: Pick<Services, 'clock' | 'crypto'>): KnownEndpoint {
  let aheadMs = 0
  let url = ''
  let secrets: Secrets | undefined
  const clock = aheadOf(services.clock, () => aheadMs)
  return {
    clock,
    aheadMs: () => aheadMs,
    url: () => url,
    update: (endpoint) => {
      const isSetBack = endpoint.clock_ahead_ms < aheadMs
      const isMoved = endpoint.url !== url
      aheadMs = endpoint.clock_ahead_ms
      url = endpoint.url
      secrets = undefined
      return isSetBack || isMoved
    },
    secretsOf: (endpoint) => {
      secrets ??= openSecrets(services.crypto.cipher, endpoint, clock.now().toISOString())
      return secrets
    },
  }
}
