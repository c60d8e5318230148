import type { ReadonlyKysely } from 'kysely/readonly'
import pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { clientConfig } from './client.ts'
import { kyselyOver, type Query } from './kysely.ts'
import { commitAlone, shareCommits } from './shared-commits.ts'
import { type SharedConnections, shareConnections } from './shared-connections.ts'
import { rehearse, type Transaction, transact } from './transaction.ts'
import type { Tables } from './types.ts'
import { runOne, type Statement } from './wire.ts'

export type { Judged, Transaction } from './transaction.ts'

export type Reader = {
  readonly kysely: ReadonlyKysely<Tables>
  readonly query: Query
}

export type Database = {
  readonly reader: Reader
  /** Commits when `work` ends well; nothing is kept when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The same, which may share its commit with others that are ready at the same time. */
  sharedTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Everything is written and checked, and nothing is kept. */
  rehearsal<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** How many connections each kind of work has at most. All connect when they are first needed. */
type Counts = { readers: number; writers: number; interactive: number }

export function openDatabase(
  address: DatabaseAddress,
  counts: Counts = { readers: 2, writers: 3, interactive: 6 },
): Database {
  const readers = shareConnections(address, counts.readers, renew)
  const writers = shareConnections(address, counts.writers, renew)
  // A line that went dead in silence shows only where somebody waits: the idle ones are as dead.
  function renew(): void {
    readers.renew()
    writers.renew()
  }
  const pool = new pg.Pool({
    ...clientConfig(address),
    max: counts.interactive,
    idleTimeoutMillis: 60_000,
  })
  const alone = commitAlone(writers)
  const together = shareCommits(writers, counts.writers)
  // An idle connection that is cut must not end the process; the pool replaces it.
  pool.on('error', () => {})
  return {
    reader: readerOf(readers),
    transaction: (work) => transact({ readers, pool, commit: alone }, work),
    rehearsal: (work) => rehearse({ readers, pool, commit: alone }, work),
    sharedTransaction: (work) => transact({ readers, pool, commit: together }, work),
    close: async () => {
      await Promise.all([readers.close(), writers.close(), pool.end()])
    },
  }
}

function readerOf(readers: SharedConnections): Reader {
  const query: Query = async <Row>(statement: Statement) =>
    runOne<Row>(await readers.next(), statement)
  // The type lets it read only: writing goes through a transaction.
  return { kysely: kyselyOver(query) as unknown as ReadonlyKysely<Tables>, query }
}
