import type { Redis } from 'ioredis'

/** More than the logins of an outage; beyond this the oldest are dropped. */
const maxPending = 30_000

/**
 * Deletes keys now, or once reconnected: a Redis that was unreachable returns with its old data.
 */
export function deletionsIn(client: Redis): (key: string) => Promise<void> {
  const owed = new Set<string>()

  function owe(key: string): void {
    owed.add(key)
    const [first] = owed
    if (owed.size > maxPending && first !== undefined) owed.delete(first)
  }

  async function deleteAll(keys: readonly string[]): Promise<void> {
    for (const key of keys) owe(key)
    if (client.status !== 'ready') return
    try {
      await client.del(...keys)
      for (const key of keys) owed.delete(key)
    } catch {
      // The keys stay pending.
    }
  }

  client.on('ready', () => {
    if (owed.size > 0) void deleteAll([...owed])
  })
  return (key) => deleteAll([key])
}
