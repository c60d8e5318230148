import pg from 'pg'
import type { SharedConnections } from './connections.ts'
import { DatabaseBusy } from './driver/database-busy.ts'
import { runBatch, type Statement } from './driver/protocol.ts'

/** Commits the statements of one piece of work, whole or not at all. */
export type Commit = (statements: readonly Statement[]) => Promise<void>

export type GroupCommit = {
  committing(key: string): Commit
  /** How many wait for a connection. */
  readonly waiting: number
}

export const commitAlone =
  (connections: SharedConnections): Commit =>
  async (statements) => {
    const { client, release } = await connections.quietest()
    try {
      await runBatch(client, statements)
    } finally {
      release()
    }
  }

type Waiting = {
  key: string
  statements: readonly Statement[]
  resolve(): void
  reject(error: unknown): void
}

const maxGroupSize = 64
const maxWaiting = 2_500

/**
 * Lets pieces of work share a commit. While all connections are busy, what is ready waits, and leaves
 * together over the next that is free: a transaction costs the same whether it carries one or ten.
 * When one of them is refused, none is kept, and each is committed again by itself.
 */
export function groupCommit(connections: SharedConnections, count: number): GroupCommit {
  const waiting: Waiting[] = []
  let free = count

  function leave(): void {
    while (free > 0 && waiting.length > 0) {
      free -= 1
      const group = waiting.splice(0, maxGroupSize).sort(byKey)
      void commitGroup(connections, group).finally(() => {
        free += 1
        leave()
      })
    }
  }

  const commit = (key: string, statements: readonly Statement[]) =>
    new Promise<void>((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw new DatabaseBusy()
      waiting.push({ key, statements, resolve, reject })
      // What becomes ready in the same turn of the event loop belongs together.
      if (waiting.length === 1) setImmediate(leave)
    })

  return {
    committing: (key) => (statements) => commit(key, statements),
    get waiting() {
      return waiting.length
    },
  }
}

/** Groups of two processes that lock the same rows do so in the same order. */
const byKey = (one: Waiting, other: Waiting) => (one.key < other.key ? -1 : 1)

async function commitGroup(connections: SharedConnections, group: Waiting[]): Promise<void> {
  const connected = await connections.quietest().catch((error: unknown) => ({ error }))
  if ('error' in connected) {
    for (const each of group) each.reject(connected.error)
    return
  }
  const { client, release } = connected
  try {
    await runBatch(
      client,
      group.flatMap(({ statements }) => statements),
    )
    for (const each of group) each.resolve()
  } catch (error) {
    if (group.length > 1 && isRefusal(error)) await commitApart(client, group)
    else for (const each of group) each.reject(error)
  } finally {
    release()
  }
}

/** A server that stops, and its inner faults, leave open what was kept; so does a lost connection. */
const unknownOutcome = /^(08|57P|58|XX)/

/** The server says no, and so nothing was kept. (Its words come in its own language.) */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !unknownOutcome.test(error.code ?? '')

async function commitApart(client: pg.ClientBase, group: Waiting[]): Promise<void> {
  const commits = group.map(({ statements, resolve, reject }) =>
    runBatch(client, statements).then(resolve, reject),
  )
  await Promise.all(commits)
}
