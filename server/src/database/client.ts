import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'

/** A line that went dead in silence looks like a slow statement until then. */
const statementTimeoutMs = 8_000

/**
 * Every query of the service has an index. A plan made while a table was still empty would read the
 * whole table, and a prepared statement keeps its plan until statistics change: minutes later.
 */
const planning = '-c enable_seqscan=off'

/** Settings that every connection of the service has. `pipeline` sends without waiting. */
export const clientConfig = (address: DatabaseAddress): pg.ClientConfig & { pipeline: true } => ({
  ...address,
  pipeline: true,
  application_name: 'flightdeck',
  connectionTimeoutMillis: 5_000,
  query_timeout: statementTimeoutMs + 1_000,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
  keepAlive: true,
  options: `-c timezone=UTC -c datestyle=ISO ${planning}`,
})
