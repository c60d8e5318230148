import type pg from 'pg'
import type { DatabaseAddress } from '../address.ts'

/** A line that went dead in silence looks like a slow statement until then. */
const statementTimeoutMs = 8_000

export type Access = 'read and write' | 'read only'

export type ClientConfig = pg.ClientConfig & {
  /** Sends without waiting. */
  pipeline: true
  /** So long without an answer, and the connection is given up. */
  silentMs: number
  /** PostgreSQL itself refuses writes on a connection that is read only. */
  access: Access
}

/**
 * Every query of the service has an index. A plan made while a table was still empty would read the
 * whole table, and a prepared statement keeps its plan until statistics change: minutes later.
 */
const planning = '-c enable_seqscan=off'

const readOnly = '-c default_transaction_read_only=on'

/** Settings that every connection of the service has. */
export const clientConfig = (
  address: DatabaseAddress,
  access: Access = 'read and write',
): ClientConfig => ({
  ...address,
  pipeline: true,
  application_name: 'flightdeck',
  connectionTimeoutMillis: 5_000,
  silentMs: statementTimeoutMs + 1_000,
  access,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
  keepAlive: true,
  options: ['-c timezone=UTC -c datestyle=ISO', planning, access === 'read only' ? readOnly : '']
    .join(' ')
    .trim(),
})
