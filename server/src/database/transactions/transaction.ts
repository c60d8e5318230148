import type { ReadonlyKysely } from 'kysely/readonly'
import type pg from 'pg'
import { DatabaseBusy } from '../driver/database-busy.ts'
import { parameterBytes } from '../driver/parameter-bytes.ts'
import { runOne, type Statement } from '../driver/protocol.ts'
import { type Query, readonlyKyselyOver } from '../tables/kysely.ts'
import type { Tables } from '../tables/types.ts'
import type { Commit } from './group-commit.ts'
import { runInSlices } from './slices.ts'

/**
 * A transaction reads the committed state, in the order of the calls; its writes are sent in one batch
 * at the end, which commits atomically. Work that reads after writing sees its own writes, at the
 * cost of an interactive transaction.
 */
export type Transaction = {
  /** Created on first use, as most changes do not need it. */
  kysely(): ReadonlyKysely<Tables>
  /** Only for reads: until something is sent, it uses a read-only connection. */
  readonly query: Query
  /** Reads what is committed, whatever was sent: for rows that this transaction does not write. */
  readonly committed: Query
  /** Queues a write without result; its error surfaces at the commit. */
  send(statement: Statement): void
  /** Sends what is queued, for the database to work on while more is calculated. */
  sendNow(): void
  /** Runs a write that returns rows, at once, inside the transaction. */
  readonly write: Query
  /** Whether anything was sent so far, and not rolled back. */
  hasSent(): boolean
  /** Roughly the bytes of the rows written so far, and not rolled back. */
  sentBytes(): number
  /** Puts statements before everything sent. */
  sendFirst(statements: readonly Statement[]): void
  /** Runs this lock before everything else if the transaction becomes interactive. */
  lockFirst(lock: Statement): void
  /**
   * Runs a part that may fail alone: if it throws, what it sent is rolled back. With `now` the
   * database checks it at once; otherwise a refused statement may surface only at the commit.
   */
  attempt<T>(part: TransactionWork<T>, checked: ConstraintCheck): Promise<T>
}

export type ConstraintCheck = 'now' | 'at the commit'

export type Connections = { reads(): Promise<Query>; pool(): pg.Pool; commit: Commit }

export type TransactionWork<T> = (tx: Transaction) => Promise<T>

/** Commits when `work` succeeds; rolls back when it throws. */
export const transact = <T>(connections: Connections, work: TransactionWork<T>): Promise<T> =>
  run(connections, work, (state) => commit(connections, state))

/** Writes and checks everything as `transact` does, then rolls back. */
export const dryRun = <T>(connections: Connections, work: TransactionWork<T>): Promise<T> =>
  run(connections, work, (state) => runAndRollBack(connections.pool(), state))

async function run<T>(
  connections: Connections,
  work: TransactionWork<T>,
  end: (state: TransactionState) => Promise<void>,
): Promise<T> {
  const reader = await connections.reads()
  const state = newState()
  try {
    const result = await work(transactionOf(scopeOf(state, connections.pool), reader))
    await end(state)
    return result
  } finally {
    await rollBackIfOpen(state)
  }
}

export const newState = (): TransactionState => ({
  ...newStatements(),
  ...{ locks: [], interactive: undefined },
})

export const scopeOf = (state: TransactionState, pool: () => pg.Pool): Scope => ({
  statements: state,
  locks: state.locks,
  bytesBefore: 0,
  sendNow: () => sendNow(pool(), state),
  isUntouched: () => state.pending.length === 0 && !state.interactive,
  catchUp: async () => openInteractive(pool(), state),
})

/** Statements not sent to the server yet; the number of all so far, and what they write. */
type Statements = {
  pending: Statement[]
  sent: number
  bytes: number
  /** Ends when all that is on its way is answered. */
  underWay: Promise<unknown> | undefined
}

/** A transaction, or a part of one. */
type Scope = {
  readonly statements: Statements
  readonly locks: Statement[]
  /** Written before this part. */
  readonly bytesBefore: number
  /** Nothing was written, so the committed state is the transaction's own. */
  isUntouched(): boolean
  /** The connection of the interactive transaction, with everything pending sent. */
  catchUp(): Promise<pg.PoolClient>
  sendNow(): void
}

export function transactionOf(scope: Scope, reader: Query): Transaction {
  const { statements } = scope
  const query: Query = async <Row>(statement: Statement) => {
    if (scope.isUntouched()) return reader<Row>(statement)
    return runOne<Row>(await scope.catchUp(), statement)
  }
  let kysely: ReadonlyKysely<Tables> | undefined
  return {
    hasSent: () => statements.sent > 0,
    sentBytes: () => scope.bytesBefore + statements.bytes,
    kysely: () => {
      kysely ??= readonlyKyselyOver(query)
      return kysely
    },
    query,
    committed: reader,
    sendNow: () => scope.sendNow(),
    send: (statement) => {
      statements.pending.push(statement)
      count(statements, statement)
    },
    write: async <Row>(statement: Statement) => {
      count(statements, statement)
      return runOne<Row>(await scope.catchUp(), statement)
    },
    sendFirst: (first) => void statements.pending.unshift(...first),
    lockFirst: (lock) => void scope.locks.push(lock),
    attempt: (part, checked) => attempt(scope, { part, checked, reader }),
  }
}

const newStatements = (): Statements => ({ pending: [], sent: 0, bytes: 0, underWay: undefined })

function count(statements: Statements, statement: Statement): void {
  statements.sent += 1
  statements.bytes += parameterBytes([statement])
}

const savepoint: Statement = { sql: 'savepoint part', parameters: [] }
const release: Statement = { sql: 'release savepoint part', parameters: [] }

type SavepointAttempt<T> = { part: TransactionWork<T>; checked: ConstraintCheck; reader: Query }

/** A part's statements stay its own until it succeeds, including those sent after a failure. */
async function attempt<T>(
  outer: Scope,
  { part, checked, reader }: SavepointAttempt<T>,
): Promise<T> {
  const own = newStatements()
  const bytesBefore = outer.bytesBefore + outer.statements.bytes
  let client: pg.PoolClient | undefined
  const catchUp = async () => {
    const connected = await outer.catchUp()
    if (!client) own.pending.unshift(savepoint)
    client = connected
    await flush(connected, own)
    return connected
  }
  const isUntouched = () => outer.isUntouched() && own.pending.length === 0
  try {
    // A part may still be rolled back alone, which its statements wait for.
    const shared = { locks: outer.locks, bytesBefore, sendNow: () => {} }
    const scope = { statements: own, isUntouched, catchUp, ...shared }
    const result = await part(transactionOf(scope, reader))
    if (client || (checked === 'now' && own.sent > 0)) {
      own.pending.push(release)
      await catchUp()
    }
    outer.statements.pending.push(...own.pending)
    outer.statements.sent += own.sent
    outer.statements.bytes += own.bytes
    return result
  } catch (error) {
    await own.underWay?.catch(() => {})
    // Without a client nothing of the part was sent to the server.
    await client?.query('rollback to savepoint part')
    throw error
  }
}

type TransactionState = Statements & {
  readonly locks: Statement[]
  interactive: Promise<pg.PoolClient> | undefined
}

const begin: Statement = { sql: 'begin', parameters: [] }
const rollBack: Statement = { sql: 'rollback', parameters: [] }

/** In one round trip, if the work did not need an interactive transaction. */
async function runAndRollBack(pool: pg.Pool, state: TransactionState): Promise<void> {
  if (state.interactive) return void (await openInteractive(pool, state))
  const statements = state.pending.splice(0)
  if (statements.length === 0) return
  const client = await reserve(pool)
  try {
    await runInSlices(client, [begin, ...statements, rollBack])
    client.release()
  } catch (error) {
    await rollBackIfOpen({ interactive: Promise.resolve(client) })
    throw error
  }
}

/** Opens the interactive transaction and sends the pending statements. */
async function openInteractive(pool: pg.Pool, state: TransactionState): Promise<pg.PoolClient> {
  state.interactive ??= open(pool, state)
  const client = await state.interactive
  await flush(client, state)
  return client
}

/** Sends statements; their failure is thrown by the next statement that waits, or by the commit. */
function sendNow(pool: pg.Pool, state: TransactionState): void {
  openInteractive(pool, state).catch(() => {})
}

/** How many interactive transactions may wait for a connection. */
const maxWaiting = 100

function reserve(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= maxWaiting) throw new DatabaseBusy()
  return pool.connect()
}

async function open(pool: pg.Pool, { locks, pending }: TransactionState): Promise<pg.PoolClient> {
  const client = await reserve(pool)
  client.query('begin').catch(() => {})
  pending.unshift(...locks)
  return client
}

/** Sends what is pending, behind what is on its way, and waits for both. */
async function flush(client: pg.Client, statements: Statements): Promise<void> {
  const pending = statements.pending.splice(0)
  if (pending.length > 0) {
    const send = () => runInSlices(client, pending)
    statements.underWay = statements.underWay?.then(send) ?? send()
    // Awaited by each that needs what was sent.
    statements.underWay.catch(() => {})
  }
  await statements.underWay
}

/** Beyond these a commit is not shared with others, which it would hold up. */
const maxShared = 60

async function commit(
  { commit: commitBatch, pool }: Connections,
  state: TransactionState,
): Promise<void> {
  if (state.interactive || state.pending.length > maxShared) {
    const client = await openInteractive(pool(), state)
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    client.release()
    state.interactive = undefined
    return
  }
  if (state.pending.length > 0) await commitBatch([state.pending])
}

/** Rolls back an interactive transaction that did not reach its commit, behind all that it sends. */
async function rollBackIfOpen(
  state: Partial<Pick<TransactionState, 'interactive' | 'underWay'>>,
): Promise<void> {
  const client = await state.interactive?.catch(() => undefined)
  if (!client) return
  await state.underWay?.catch(() => {})
  try {
    await client.query('rollback')
    client.release()
  } catch (fault) {
    client.release(fault instanceof Error ? fault : true)
  }
}
