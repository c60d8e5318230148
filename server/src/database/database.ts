import type { ReadonlyKysely } from 'kysely/readonly'
import pg from 'pg'
import type { Ending } from '../concurrency/ending.ts'
import type { DatabaseAddress } from './address.ts'
import { askedOnce } from './driver/citus.ts'
import { clientConfig } from './driver/client.ts'
import { PrimaryClient } from './driver/connection.ts'
import { runOne, type Statement } from './driver/protocol.ts'
import { type Query, readonlyKyselyOver } from './tables/kysely.ts'
import type { Tables } from './tables/types.ts'
import { atomically } from './transactions/atomic.ts'
import { type SharedConnections, shareConnections, type Usage } from './transactions/connections.ts'
import { type Commit, commitAlone, groupCommit } from './transactions/group-commit.ts'
import { batchReadsByKey } from './transactions/read-batching.ts'
import { readsOfAll } from './transactions/reads-of-all.ts'
import { readsOnCitus } from './transactions/reads-on-citus.ts'
import { readsTogether } from './transactions/reads-together.ts'
import { transactTogether } from './transactions/transact-together.ts'
import { type Connections, dryRun, type Transaction, transact } from './transactions/transaction.ts'

export { NeedsOwn } from './transactions/transact-together.ts'
export type { ConstraintCheck, Transaction } from './transactions/transaction.ts'

/** Reads committed data. Its connections are read-only, so PostgreSQL refuses any write. */
export type Reader = {
  kysely(): ReadonlyKysely<Tables>
  readonly query: Query
}

export type Database = {
  readonly reader: Reader
  /** Commits when `work` succeeds; rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * As `transaction`, but may share its commit with others that are ready at the same time. The key
   * names what the work locks first; commits in key order prevent deadlocks between processes.
   */
  sharedTransaction<T>(key: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** As several of `sharedTransaction` at once that commit as one: see `transactTogether`. */
  sharedTransactions<T>(
    key: string,
    works: readonly ((tx: Transaction) => Promise<T>)[],
    choose: (done: readonly T[]) => ReadonlySet<T>,
  ): Promise<Ending<T>[]>
  /** Writes and checks everything, then rolls back. */
  dryRun<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Whether the database is one of Citus. */
  hasCitus(): Promise<boolean>
  /** For rate-limit counters, outside transactions: it waits for other counts only. */
  readonly counterQuery: Query
  /** For leases, outside transactions: it waits for nothing else, as a late renewal loses them. */
  readonly leaseQuery: Query
  /** Open connections, and how many tasks wait for one. */
  usage(): Usage & { waiting: number }
  close(): Promise<void>
}

/** The maximum number of connections for each kind of work; all are opened on demand. */
type Counts = { readers: number; writers: number; interactive: number }

export function openDatabase(
  address: DatabaseAddress,
  counts: Counts = { readers: 2, writers: 3, interactive: 6 },
): Database {
  const onSilence = () => renew()
  const readers = shareConnections(address, counts.readers, { access: 'read only', onSilence })
  const writers = shareConnections(address, counts.writers, { onSilence })
  const counters = shareConnections(address, 1, { onSilence })
  const leases = shareConnections(address, 1, { onSilence })
  const allShared = [readers, writers, counters, leases]
  // One silently dead connection suggests that the idle ones are dead too.
  function renew(): void {
    // Connections that are lost at the end are not replaced.
    if (isClosed) return
    for (const each of allShared) each.renew()
    // Ending the pool would leave those waiting in it without a connection.
    if (pool.waitingCount > 0) return
    const old = pool
    pool = openPool(address, counts.interactive)
    void old.end()
  }
  let pool = openPool(address, counts.interactive)
  let isClosed = false
  const read = readingOn(readers)
  const hasCitus = askedOnce(read)
  const run = atomically(hasCitus)
  const reads = readsTogether(readers, hasCitus)
  const together = groupCommit(writers, counts.writers, run)
  // `pool` is a function because a renewal may replace the pool during the work.
  const connected = (commit: Commit): Connections => ({ reads, pool: () => pool, commit })
  const alone = connected(commitAlone(writers, run))
  return {
    reader: readerOf(read, hasCitus),
    transaction: (work) => transact(alone, work),
    dryRun: (work) => dryRun(alone, work),
    sharedTransaction: (key, work) => transact(connected(together.committing(key)), work),
    sharedTransactions: (key, works, choose) =>
      transactTogether(connected(together.committing(key)), works, choose),
    hasCitus,
    counterQuery: async (statement) => runOne(await counters.next(), statement),
    leaseQuery: async (statement) => runOne(await leases.next(), statement),
    usage: () => usageOf(allShared, pool, together.waiting),
    close: async () => {
      isClosed = true
      await Promise.all([...allShared.map((each) => each.close()), pool.end()])
    },
  }
}

function openPool(address: DatabaseAddress, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(address),
    Client: PrimaryClient,
    max,
    idleTimeoutMillis: 60_000,
  })
  // A lost idle connection must not end the process; the pool replaces it.
  pool.on('error', () => {})
  return pool
}

function usageOf(shared: readonly SharedConnections[], pool: pg.Pool, waitingToCommit: number) {
  const ofPool = { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount }
  const all = [...shared.map((each) => each.usage()), ofPool]
  return {
    busy: sum(all.map(({ busy }) => busy)),
    idle: sum(all.map(({ idle }) => idle)),
    waiting: pool.waitingCount + waitingToCommit,
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

const readingOn =
  (connections: SharedConnections): Query =>
  async <Row>(statement: Statement) =>
    runOne<Row>(await connections.next(), statement)

function readerOf(alone: Query, hasCitus: () => Promise<boolean>): Reader {
  const together = batchReadsByKey(alone)
  const onCitus = readsOnCitus(alone)
  const byKey: Query = async <Row>(statement: Statement) =>
    (await hasCitus()) ? await onCitus<Row>(statement) : await together<Row>(statement)
  const ofAll = readsOfAll(alone, hasCitus)
  const query: Query = (statement) =>
    statement.byKey ? byKey(statement) : statement.ofAll ? ofAll(statement) : alone(statement)
  const kysely = readonlyKyselyOver(query)
  return { kysely: () => kysely, query }
}
