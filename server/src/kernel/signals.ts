/** That something was committed just now in an organization. */
export type Signal = {
  readonly organizationId: string
  /** Endpoints that have deliveries to make at once. */
  readonly endpointIds: readonly string[]
}

/**
 * Wakes whoever in this process waits for events: deliveries and streams. A hint, not a promise: what
 * other processes commit, and what is lost in a crash, is found by looking again every second.
 */
export type Signals = {
  tell(signal: Signal): void
  /** Answers how to stop listening. */
  listen(listener: (signal: Signal) => void): () => void
}

export function signals(): Signals {
  const listeners = new Set<(signal: Signal) => void>()
  return {
    tell(signal) {
      for (const listener of listeners) listener(signal)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
