import { retryLater } from '../problems/problem.ts'
import type { Ending } from './ending.ts'

type InTurn = (key: string, work: () => Promise<void>) => Promise<void>

type Bounds = { atOnce: number; waiting: number }

type Waiting<Item> = { item: Item; resolve(): void; reject(error: unknown): void }

/**
 * Gathers items of a key while they wait for their turn, and hands over up to `atOnce` of them
 * together. `run` says how each ended; more than `waiting` are refused with 503.
 */
export function gathering<Item>(
  inTurn: InTurn,
  run: (items: readonly Item[]) => Promise<readonly Ending<void>[]>,
  { atOnce, waiting }: Bounds,
): (key: string, item: Item) => Promise<void> {
  const lines = new Map<string, Waiting<Item>[]>()

  async function runNext(key: string): Promise<void> {
    const line = lines.get(key) ?? []
    const taken = line.splice(0, atOnce)
    if (line.length === 0) lines.delete(key)
    else askForTurn(key)
    const endings = await run(taken.map(({ item }) => item))
    for (const [at, { resolve, reject }] of taken.entries()) {
      const ending = endings[at] ?? { error: new Error('an item has no ending') }
      if ('error' in ending) reject(ending.error)
      else resolve()
    }
  }

  function askForTurn(key: string): void {
    inTurn(key, () => runNext(key)).catch((error: unknown) => {
      const line = lines.get(key) ?? []
      lines.delete(key)
      for (const { reject } of line) reject(error)
    })
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const line = lines.get(key) ?? []
      if (line.length >= waiting) throw retryLater('overloaded')
      lines.set(key, line)
      line.push({ item, resolve, reject })
      if (line.length === 1) askForTurn(key)
    })
}
