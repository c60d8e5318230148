type SingleFlightOptions = {
  /** How long a result is shared after it came, perhaps forever. Failures are not kept. */
  keepMs?: number
}

export type SingleFlight<T, Key> = {
  (key: Key): Promise<T>
  /** Waits for the call under way, if there is one. */
  idle(key: Key): Promise<void>
  /** Shares no call that was made so far: it may have read what has changed since. */
  forgetAll(): void
}

/** Callers with the same key share one call while it is under way. */
export function singleFlight<T, Key = void>(
  work: (key: Key) => Promise<T>,
  { keepMs = 0 }: SingleFlightOptions = {},
): SingleFlight<T, Key> {
  const calls = new Map<Key, Promise<T>>()

  function call(key: Key): Promise<T> {
    const shared = calls.get(key)
    if (shared) return shared
    const started = work(key)
    const forget = () => {
      if (calls.get(key) === started) calls.delete(key)
    }
    const keep = () => {
      if (keepMs < Number.POSITIVE_INFINITY) setTimeout(forget, keepMs).unref()
    }
    calls.set(key, started)
    started.then(keepMs > 0 ? keep : forget, forget)
    return started
  }

  const idle = async (key: Key): Promise<void> => {
    await calls.get(key)?.catch(() => {})
  }
  return Object.assign(call, { idle, forgetAll: () => calls.clear() })
}
