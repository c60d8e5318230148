/** Items that wait for the work. */
export type Collected<Item> = {
  readonly waiting: readonly Item[]
  /** All that wait, including what came since the work began. */
  take(): readonly Item[]
}

export type Collector<Item> = {
  add(item: Item): void
  readonly isWorking: boolean
  /** Waits until everything added is worked off. */
  idle(): Promise<void>
}

/**
 * Runs `work`, once at a time, until it has taken every item. Unlike in a `batch()` it decides when to
 * take them, and no caller waits for an answer. It handles its own failures.
 */
export function collector<Item>(
  work: (collected: Collected<Item>) => Promise<void>,
): Collector<Item> {
  let waiting: Item[] = []
  let working: Promise<void> | undefined

  const collected: Collected<Item> = {
    get waiting() {
      return waiting
    },
    take: () => {
      const taken = waiting
      waiting = []
      return taken
    },
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) await work(collected)
    // In the turn that finds nothing left, so that no item is added to a run that is over.
    working = undefined
  }

  return {
    add: (item) => {
      waiting.push(item)
      working ??= run()
    },
    get isWorking() {
      return working !== undefined
    },
    idle: async () => {
      await working
    },
  }
}
