import { type Flightdeck, isProblem, type Schema } from '@flightdeckhq/sdk'
import type { Adapter } from '../contract/adapter.ts'
import { type Log, said } from '../telemetry/log.ts'

/** The hold of this process on its accounts: taken, renewed in time, and let go. */

type Lease = Schema<'ConnectorLease'>

/** A write that the lease would not outlast is not begun. */
export class LeaseEnded extends Error {
  override readonly name = 'LeaseEnded'
}

export type Held = {
  /** As calls of the connector name it. */
  named(): { lease_id: string; fence: number }
  readonly lease: Lease
  /** Aborted once the accounts are no longer held. */
  readonly signal: AbortSignal
  /** Throws `LeaseEnded` where the hold may end within this time. */
  check(ms: number): void
  lose(): void
  release(): Promise<void>
}

export type LeaseTerms = {
  flightdeck: Flightdeck
  adapter: Adapter
  /** A new name for each start of the process. */
  instance: string
  profileIds: readonly string[]
  ttlSeconds: number
  renewMs: number
  log: Log
}

/** Takes the accounts and keeps them until they are lost. Throws where another holds them. */
export async function hold(terms: LeaseTerms): Promise<Held> {
  const { flightdeck, renewMs, log } = terms
  const lost = new AbortController()
  let { lease, until } = await take(terms)
  const lose = () => {
    clearInterval(timer)
    lost.abort(new LeaseEnded('the accounts are held no longer'))
  }
  const renew = async () => {
    try {
      const next = await take(terms)
      const isSame = next.lease.lease_id === lease.lease_id && next.lease.fence === lease.fence
      ;({ lease, until } = next)
      // Other accounts, or taken anew: everything begins from the start.
      if (!isSame) lose()
    } catch (error) {
      log.warn('the lease was not renewed', { error: said(error) })
      if (isProblem(error, 'lease_held') || performance.now() >= until) lose()
    }
  }
  const timer = setInterval(() => void renew(), renewMs)
  return {
    get lease() {
      return lease
    },
    named: () => ({ lease_id: lease.lease_id, fence: lease.fence }),
    signal: lost.signal,
    check(ms) {
      lost.signal.throwIfAborted()
      if (performance.now() + ms >= until)
        throw new LeaseEnded('the lease may end before the answer: nothing is sent')
    },
    lose,
    async release() {
      lose()
      await flightdeck.connector
        .releaseLease(lease.lease_id, { retries: 0, timeoutMs: 5_000 })
        .catch((error) => log.warn('the lease was not let go', { error: said(error) }))
    },
  }
}

/** By this process's own clock, from before it was asked for: other clocks may be hours off. */
async function take({ flightdeck, adapter, instance, profileIds, ttlSeconds }: LeaseTerms) {
  const asked = performance.now()
  const lease = await flightdeck.connector.takeLease(
    {
      instance,
      adapter: adapter.name,
      adapter_version: adapter.version,
      platform: adapter.platform,
      api_version: adapter.apiVersion,
      ttl_seconds: ttlSeconds,
      ...(adapter.apiSunset !== undefined && { api_sunset: adapter.apiSunset }),
      ...(profileIds.length > 0 && { profile_ids: [...profileIds] }),
    },
    { retries: 0, timeoutMs: 10_000 },
  )
  return { lease, until: asked + ttlSeconds * 1_000 }
}
