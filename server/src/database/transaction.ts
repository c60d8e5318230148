import type { Kysely } from 'kysely'
import type pg from 'pg'
import { kyselyOver, type Query } from './kysely.ts'
import type { SharedConnections } from './shared-connections.ts'
import type { Tables } from './types.ts'
import { runBatch, runOne, type Statement } from './wire.ts'

/**
 * What a piece of work reads and writes. It reads the committed state, in the order of the calls;
 * what it writes leaves in one batch at the end, and commits whole or not at all. Only work that
 * reads again after it has written costs an interactive transaction, and sees its own writes.
 */
export type Transaction = {
  readonly kysely: Kysely<Tables>
  readonly query: Query
  /** A statement whose rows nobody needs: its fault surfaces at the commit. */
  send(statement: Statement): void
  /** Whether anything was sent so far. */
  readonly hasSent: boolean
  /** Statements that go out before everything that was sent. */
  sendFirst(statements: readonly Statement[]): void
}

export type Connections = { readers: SharedConnections; writers: SharedConnections; pool: pg.Pool }

/** Commits when `work` ends well; nothing is kept when it throws. */
export async function transact<T>(
  connections: Connections,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const state: State = { pending: [], interactive: undefined }
  // All reads go through one connection, so that each sees at least what those before it saw.
  const reader = await connections.readers.next()
  const readTogether = together(reader)
  const query: Query = async <Row>(statement: Statement) => {
    if (state.pending.length === 0 && !state.interactive) return readTogether<Row>(statement)
    const client = await interact(connections.pool, state)
    return runOne<Row>(client, statement)
  }
  let kysely: Kysely<Tables> | undefined
  const tx: Transaction = {
    get hasSent() {
      return state.pending.length > 0 || state.interactive !== undefined
    },
    get kysely() {
      kysely ??= kyselyOver(query)
      return kysely
    },
    query,
    send: (statement) => void state.pending.push(statement),
    sendFirst: (statements) => void state.pending.unshift(...statements),
  }
  try {
    const result = await work(tx)
    await commit(connections.writers, state)
    return result
  } finally {
    await leave(state)
  }
}

type Read = { statement: Statement; resolve(rows: unknown): void; reject(error: unknown): void }

/** Reads that the work asks for at once, before it waits for any, go out in one batch. */
function together(client: pg.ClientBase): Query {
  let reads: Read[] = []

  function go(): void {
    const batch = reads
    reads = []
    runBatch(
      client,
      batch.map((read) => read.statement),
    ).then(
      (results) => {
        for (const [at, read] of batch.entries()) read.resolve(results[at])
      },
      (error) => {
        for (const read of batch) read.reject(error)
      },
    )
  }

  return <Row>(statement: Statement) =>
    new Promise<Row[]>((resolve, reject) => {
      if (reads.length === 0) setImmediate(go)
      reads.push({ statement, resolve: resolve as Read['resolve'], reject })
    })
}

type State = { pending: Statement[]; interactive: Promise<pg.PoolClient> | undefined }

/** Opens the transaction on a connection of its own, and catches up with what was written. */
async function interact(pool: pg.Pool, state: State): Promise<pg.PoolClient> {
  state.interactive ??= open(pool)
  const client = await state.interactive
  await flush(client, state)
  return client
}

async function open(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect()
  client.query('begin').catch(() => {})
  return client
}

async function flush(client: pg.ClientBase, state: State): Promise<void> {
  const statements = state.pending.splice(0)
  if (statements.length > 0) await runBatch(client, statements)
}

async function commit(writers: SharedConnections, state: State): Promise<void> {
  if (state.interactive) {
    const client = await state.interactive
    await flush(client, state)
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    client.release()
    state.interactive = undefined
    return
  }
  if (state.pending.length === 0) return
  const { client, release } = await writers.quietest()
  try {
    await runBatch(client, state.pending)
  } finally {
    release()
  }
}

/** Rolls an interactive transaction back that did not come to its commit. */
async function leave({ interactive }: State): Promise<void> {
  const client = await interactive?.catch(() => undefined)
  if (!client) return
  try {
    await client.query('rollback')
    client.release()
  } catch (fault) {
    client.release(fault instanceof Error ? fault : true)
  }
}
