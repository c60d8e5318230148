/** Gathers items, and works on them together a moment later. With none it has no timer. */
export type IntervalBatcher<Item> = {
  add(item: Item): void
  /** What is under way ends; nothing begins any more. */
  close(): void
}

type BatchInterval = {
  /** From the first item to its round, and from one round's beginning to the next one's. */
  everyMs: number
  /** A round works on so many items at a time, one part after the other. */
  mostAtOnce: number
  /** Items beyond these are in no round. */
  mostWaiting: number
}

type Work<Item> = (items: readonly Item[]) => Promise<void>

/** One round at a time. Where the work fails, its round ends: the rest of its items go without. */
export function intervalBatcher<Item>(
  work: Work<Item>,
  pace: BatchInterval,
): IntervalBatcher<Item> {
  let waiting: Item[] = []
  let isClosed = false
  /** There is one while a round is awaited or under way. */
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
    for (let at = 0; at < items.length && !isClosed; at += pace.mostAtOnce) {
      await work(items.slice(at, at + pace.mostAtOnce))
    }
  }

  return {
    add(item) {
      if (isClosed || waiting.length >= pace.mostWaiting) return
      waiting.push(item)
      timer ??= later(pace.everyMs)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
