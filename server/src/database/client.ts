import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'

/** A line that went dead in silence looks like a slow statement until then. */
const statementTimeoutMs = 8_000

export type ClientConfig = pg.ClientConfig & {
  /** Sends without waiting. */
  pipeline: true
  /** So long without an answer, and the connection is given up. */
  silentMs: number
}

/**
 * Every query of the service has an index. A plan made while a table was still empty would read the
 * whole table, and a prepared statement keeps its plan until statistics change: minutes later.
 */
const planning = '-c enable_seqscan=off'

/** Settings that every connection of the service has. */
export const clientConfig = (address: DatabaseAddress): ClientConfig => ({
  ...address,
  pipeline: true,
  application_name: 'flightdeck',
  connectionTimeoutMillis: 5_000,
  silentMs: statementTimeoutMs + 1_000,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
  keepAlive: true,
  options: `-c timezone=UTC -c datestyle=ISO ${planning}`,
})
