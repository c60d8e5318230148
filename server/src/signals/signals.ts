/** That something was committed just now in an organization. */
export type Signal = {
  readonly organizationId: string
  /** Endpoints that have deliveries to make at once. */
  readonly endpointIds: readonly string[]
  /** A session, a key, a user or the organization itself may not be what it was. */
  readonly touchesCredentials: boolean
}

/** Whether this process has committed it, or another one on the same database. */
export type Origin = 'here' | 'elsewhere'

type Listener = (signal: Signal, origin: Origin) => void

/**
 * Wakes whoever in this process waits for what is committed: credentials, deliveries and streams. A
 * hint, not a promise: what is lost on the way is found by looking again every second.
 */
export type Signals = {
  emit(signal: Signal, origin?: Origin): void
  /** Other processes may have told what was not heard: everybody looks at once. */
  invalidateAll(): void
  /** What any process committed before this moment of `performance.now()` was told here. */
  readonly heardUntilMs: number
  advanceWatermark(ms: number): void
  /** Answers how to stop listening. */
  subscribe(listener: Listener, whenMissed?: () => void): () => void
}

export function signals(): Signals {
  const ears = new Set<{ listener: Listener; whenMissed: () => void }>()
  let heardUntilMs = Number.NEGATIVE_INFINITY
  return {
    emit(signal, origin = 'here') {
      for (const { listener } of ears) listener(signal, origin)
    },
    invalidateAll() {
      for (const { whenMissed } of ears) whenMissed()
    },
    get heardUntilMs() {
      return heardUntilMs
    },
    advanceWatermark(ms) {
      heardUntilMs = ms
    },
    subscribe(listener, whenMissed = () => {}) {
      const ear = { listener, whenMissed }
      ears.add(ear)
      return () => ears.delete(ear)
    },
  }
}
