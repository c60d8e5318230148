type WaitingItem<Item, Answer> = {
  readonly item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Sends all items of one event-loop turn together, and those that arrive while a batch is in flight as
 * the next one. `send` answers the items in order.
 */
export function batch<Item, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
  maxBatch: number,
): (item: Item) => Promise<Answer> {
  let waiting: WaitingItem<Item, Answer>[] = []
  let isSending = false

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      await answer(batch)
    }
    isSending = false
  }

  async function answer(batch: readonly WaitingItem<Item, Answer>[]): Promise<void> {
    try {
      const answers = await send(batch.map(({ item }) => item))
      if (answers.length < batch.length) throw new Error('an item got no answer')
      for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer)
    } catch (error) {
      for (const each of batch) each.reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isSending) return
      isSending = true
      setImmediate(() => void sendAll())
    })
}
