import type { Kysely } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { clientConfig, type Statement, send } from './client.ts'
import { kyselyOver, type Query } from './kysely.ts'
import { type SharedConnections, shareConnections } from './shared-connections.ts'
import type { Tables } from './types.ts'

export type Reader = {
  readonly kysely: ReadonlyKysely<Tables>
  readonly query: Query
}

/** A transaction: statements go out in the order of the calls, without waiting for each other. */
export type Transaction = {
  readonly kysely: Kysely<Tables>
  readonly query: Query
  /** Runs a statement whose result nobody needs: its fault surfaces at the commit. */
  send(statement: Statement): void
}

export type Database = {
  readonly reader: Reader
  /** Commits when `work` ends well, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type Connections = { readers: number; writers: number }

export function openDatabase(
  address: DatabaseAddress,
  connections: Connections = { readers: 3, writers: 10 },
): Database {
  const readers = shareConnections(address, connections.readers)
  const writers = new pg.Pool({
    ...clientConfig(address),
    max: connections.writers,
    idleTimeoutMillis: 60_000,
  })
  // An idle connection that is cut must not end the process; the pool replaces it.
  writers.on('error', () => {})
  return {
    reader: readerOf(readers),
    transaction: (work) => transact(writers, work),
    close: async () => {
      await Promise.all([readers.close(), writers.end()])
    },
  }
}

const readerOf = (readers: SharedConnections): Reader => ({
  kysely: kyselyOver(readers.query) as unknown as ReadonlyKysely<Tables>,
  query: readers.query,
})

const kyselyByClient = new WeakMap<pg.PoolClient, Kysely<Tables>>()

function kyselyOf(client: pg.PoolClient): Kysely<Tables> {
  const known = kyselyByClient.get(client)
  if (known) return known
  const made = kyselyOver((statement) => send(client, statement))
  kyselyByClient.set(client, made)
  return made
}

async function transact<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = [client.query('begin')]
  const tx: Transaction = {
    kysely: kyselyOf(client),
    query: (statement) => watched(sent, send(client, statement)),
    send: (statement) => void watched(sent, send(client, statement)),
  }
  try {
    const result = await work(tx)
    const committed = client.query('commit')
    await Promise.all([...sent, committed])
    if ((await committed).command !== 'COMMIT') throw new Error('the transaction was rolled back')
    client.release()
    return result
  } catch (error) {
    await rollBack(client)
    throw (await firstFault(sent)) ?? error
  }
}

/** Remembers a promise for the commit; until then its fault must not count as unhandled. */
function watched<T>(sent: Promise<unknown>[], promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  sent.push(promise)
  return promise
}

const abortedTransaction = '25P02'

/** The statement that failed first tells why; those behind it only say "aborted". */
async function firstFault(sent: Promise<unknown>[]): Promise<unknown> {
  for (const outcome of await Promise.allSettled(sent)) {
    if (outcome.status === 'rejected' && outcome.reason?.code !== abortedTransaction) {
      return outcome.reason
    }
  }
  return undefined
}

async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch (fault) {
    client.release(fault instanceof Error ? fault : true)
  }
}
