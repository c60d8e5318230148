/** Collects items and processes them together at intervals. Idle, it has no timer. */
export type IntervalBatcher<Item> = {
  add(item: Item): void
  /** Starts no further work; the batch in progress finishes. */
  close(): void
}

type BatchInterval = {
  /** From the first item to its round, and from the start of one round to the next. */
  everyMs: number
  /** Items in one call of the work; a round makes the calls one after another. */
  maxBatch: number
  /** Further items are dropped. */
  maxWaiting: number
}

type BatchWork<Item> = (items: readonly Item[]) => Promise<void>

/** One round at a time. If the work fails, the rest of its round is dropped. */
export function intervalBatcher<Item>(
  work: BatchWork<Item>,
  pace: BatchInterval,
): IntervalBatcher<Item> {
  let waiting: Item[] = []
  let isClosed = false
  /** Set while a round is scheduled or running. */
  let timer: NodeJS.Timeout | undefined

  const later = (ms: number) => setTimeout(run, Math.max(0, ms)).unref()

  async function run(): Promise<void> {
    const begun = performance.now()
    const items = waiting
    waiting = []
    await workOn(items).catch(() => {})
    const passedMs = performance.now() - begun
    timer = waiting.length > 0 && !isClosed ? later(pace.everyMs - passedMs) : undefined
  }

  async function workOn(items: readonly Item[]): Promise<void> {
    for (let at = 0; at < items.length && !isClosed; at += pace.maxBatch) {
      await work(items.slice(at, at + pace.maxBatch))
    }
  }

  return {
    add(item) {
      if (isClosed || waiting.length >= pace.maxWaiting) return
      waiting.push(item)
      timer ??= later(pace.everyMs)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
