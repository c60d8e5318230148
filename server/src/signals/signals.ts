/** A message that an organization's data has changed. */
export type Signal = {
  readonly organizationId: string
  /** Endpoints with deliveries to send now. */
  readonly endpointIds: readonly string[]
  /** A session, a key, a user or the organization itself may have changed. */
  readonly touchesCredentials: boolean
}

/** Committed by this process, or by another one on the same database. */
export type Origin = 'here' | 'elsewhere'

type Listener = (signal: Signal, origin: Origin) => void

/**
 * Wakes the parts of this process that wait for commits: credential caches, deliveries and streams.
 * Best effort: polling every second finds what was lost.
 */
export type Signals = {
  emit(signal: Signal, origin?: Origin): void
  /** Signals of other processes may have been lost: every subscriber looks at once. */
  invalidateAll(): void
  /** Every commit of any process before this time, in `performance.now()`, has been signalled here. */
  readonly watermarkMs: number
  advanceWatermark(ms: number): void
  /** Returns a function that unsubscribes. */
  subscribe(listener: Listener, onInvalidate?: () => void): () => void
}

export function signals(): Signals {
  const subscribers = new Set<{ listener: Listener; onInvalidate: () => void }>()
  let watermarkMs = Number.NEGATIVE_INFINITY
  return {
    emit(signal, origin = 'here') {
      for (const { listener } of subscribers) listener(signal, origin)
    },
    invalidateAll() {
      for (const { onInvalidate } of subscribers) onInvalidate()
    },
    get watermarkMs() {
      return watermarkMs
    },
    advanceWatermark(ms) {
      watermarkMs = ms
    },
    subscribe(listener, onInvalidate = () => {}) {
      const subscriber = { listener, onInvalidate }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
  }
}
