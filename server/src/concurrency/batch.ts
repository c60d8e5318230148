type Waiting<Item, Answer> = {
  readonly item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Sends what is asked in one turn of the event loop together, and what is asked until the answer comes
 * together with what follows. `send` answers each item, in their order.
 */
export function batch<Item, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
  mostAtOnce: number,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let isSending = false

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      await answer(batch)
    }
    isSending = false
  }

  async function answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await send(batch.map(({ item }) => item))
      for (const [at, each] of batch.entries()) each.resolve(answers[at] as Answer)
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
