import type { Redis } from 'ioredis'

/** More than log in during an outage; of those beyond, the first are forgotten. */
const mostOwed = 30_000

/**
 * Deletes keys now, or as soon as there is a connection again: a Redis that was out of reach comes back
 * with what it knew. Whether there was one, as far as is known.
 */
export function deletionsIn(client: Redis): (key: string) => Promise<boolean> {
  const owed = new Set<string>()

  function owe(key: string): void {
    owed.add(key)
    const [first] = owed
    if (owed.size > mostOwed && first !== undefined) owed.delete(first)
  }

  async function deleteAll(keys: readonly string[]): Promise<boolean> {
    for (const key of keys) owe(key)
    if (client.status !== 'ready') return false
    try {
      const deleted = await client.del(...keys)
      for (const key of keys) owed.delete(key)
      return deleted > 0
    } catch {
      return false
    }
  }

  client.on('ready', () => {
    if (owed.size > 0) void deleteAll([...owed])
  })
  return (key) => deleteAll([key])
}
