import type pg from 'pg'
import { DatabaseBusy } from '../driver/database-busy.ts'
import { isRefusal } from '../driver/sql-error.ts'
import type { Atomically } from './atomic.ts'
import type { Statements } from './combining.ts'
import type { SharedConnections } from './connections.ts'

/** Commits the statements of one task atomically, which may be those of several transactions. */
export type Commit = (all: readonly Statements[]) => Promise<void>

export type GroupCommit = {
  committing(key: string): Commit
  /** How many wait for a connection. */
  readonly waiting: number
}

export const commitAlone =
  (connections: SharedConnections, run: Atomically): Commit =>
  async (all) => {
    const { client, release } = await connections.quietest()
    try {
      await run(client, all)
    } finally {
      release()
    }
  }

type Waiting = {
  key: string
  all: readonly Statements[]
  resolve(): void
  reject(error: unknown): void
}

const maxGroupSize = 64
const maxWaiting = 2_500

/**
 * Group commit. While all connections are busy, tasks that are ready wait, and share one transaction
 * on the next free connection: it costs the same for one task as for ten. If one is refused, all are
 * rolled back and each is committed again separately. Not `batch()`, which has one batch under way.
 */
export function groupCommit(
  connections: SharedConnections,
  count: number,
  run: Atomically,
): GroupCommit {
  const waiting: Waiting[] = []
  let free = count

  function commitWaiting(): void {
    while (free > 0 && waiting.length > 0) {
      free -= 1
      const group = waiting.splice(0, maxGroupSize).sort(byKey)
      void commitGroup({ connections, run }, group).finally(() => {
        free += 1
        commitWaiting()
      })
    }
  }

  const commit = (key: string, all: readonly Statements[]) =>
    new Promise<void>((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw new DatabaseBusy()
      waiting.push({ key, all, resolve, reject })
      // Collects what becomes ready in the same turn of the event loop.
      if (waiting.length === 1) setImmediate(commitWaiting)
    })

  return {
    committing: (key) => (all) => commit(key, all),
    get waiting() {
      return waiting.length
    },
  }
}

/** Two processes lock the same rows in the same order, so they cannot deadlock. */
const byKey = (one: Waiting, other: Waiting) => (one.key < other.key ? -1 : 1)

type Committing = { connections: SharedConnections; run: Atomically }

async function commitGroup({ connections, run }: Committing, group: Waiting[]): Promise<void> {
  const connected = await connections.quietest().catch((error: unknown) => ({ error }))
  if ('error' in connected) {
    for (const each of group) each.reject(connected.error)
    return
  }
  const { client, release } = connected
  try {
    await run(
      client,
      group.flatMap(({ all }) => all),
    )
    for (const each of group) each.resolve()
  } catch (error) {
    if (group.length > 1 && isRefusal(error)) await commitApart(client, { run, group })
    else for (const each of group) each.reject(error)
  } finally {
    release()
  }
}

type Apart = { run: Atomically; group: readonly Waiting[] }

async function commitApart(client: pg.Client, { run, group }: Apart): Promise<void> {
  const commits = group.map(({ all, resolve, reject }) => run(client, all).then(resolve, reject))
  await Promise.all(commits)
}
