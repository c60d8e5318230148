import pg from 'pg'
import { pause } from '../../concurrency/wait.ts'
import type { DatabaseAddress } from '../address.ts'
import { isSqlError } from '../driver/sql-error.ts'

/** A connection of its own for work that may rightly take long. */
export type MigrationClient = { address: DatabaseAddress; client: pg.Client }

const connectWithinMs = 5_000
/** For what takes milliseconds. */
const answerWithinMs = 10_000
const endWithinMs = 1_000
const lookEveryMs = 10_000

export async function connectToMigrate(address: DatabaseAddress): Promise<MigrationClient> {
  const client = new pg.Client({
    ...address,
    application_name: 'flightdeck migrate',
    connectionTimeoutMillis: connectWithinMs,
  })
  // A lost connection surfaces as the error of the pending statement.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    leave(client)
    throw error
  }
  return { address, client }
}

/** Politely, but a silent database is not waited for. */
export async function endMigrating({ client }: MigrationClient): Promise<void> {
  const late = setTimeout(() => leave(client), endWithinMs)
  await client.end().catch(() => {})
  clearTimeout(late)
}

const leave = (client: pg.Client) => client.connection.stream.destroy()

/** Asks for what is at hand: without an answer the database is down. */
export async function ask(
  client: pg.ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  // pg knows of it, its types do not.
  const query = { text, values, query_timeout: answerWithinMs }
  return await client.query(query)
}

/** Awaits work on this connection for as long as PostgreSQL is at it, however long that takes. */
export async function whileAtWork<T>(on: MigrationClient, work: () => Promise<T>): Promise<T> {
  const { rows } = await ask(on.client, 'select pg_backend_pid() as pid')
  const done = new AbortController()
  void watch(on, rows[0].pid, done.signal)
  try {
    return await work()
  } finally {
    done.abort()
  }
}

/** Gives the connection up when another one finds twice that PostgreSQL does not work for it. */
async function watch(on: MigrationClient, pid: number, signal: AbortSignal): Promise<void> {
  let misses = 0
  while (misses < 2 && !signal.aborted) {
    await pause(lookEveryMs, signal)
    if (signal.aborted) return
    misses = (await isAlive(on.address, pid)) ? 0 : misses + 1
  }
  if (!signal.aborted) leave(on.client)
}

async function isAlive(address: DatabaseAddress, pid: number): Promise<boolean> {
  // A refusal, as of one connection too many, is an answer.
  const looking = await connectToMigrate(address).catch(isSqlError)
  if (typeof looking === 'boolean') return looking
  const found = ask(looking.client, 'select from pg_stat_activity where pid = $1', [pid])
  const isFound = await found.then(({ rowCount }) => rowCount === 1).catch(isSqlError)
  await endMigrating(looking)
  return isFound
}
