import type pg from 'pg'
import type { DatabaseAddress } from '../address.ts'

/** Until then a silently dead connection looks like a slow statement. */
const statementTimeoutMs = 8_000

export type Access = 'read and write' | 'read only'

export type ClientConfig = pg.ClientConfig & {
  /** Sends statements without waiting for earlier answers. */
  pipeline: true
  /** After this long without an answer the connection is given up. */
  silentMs: number
  /** On a read-only connection PostgreSQL itself refuses writes. */
  access: Access
}

/**
 * Every query of the service has an index. But a plan made while a table was empty scans the whole
 * table, and a prepared statement keeps it until the statistics change, minutes later. A scan that is
 * needed costs so much by that, that PostgreSQL would compile a plan which reads a few rows.
 */
const planning = '-c enable_seqscan=off -c jit=off'

const readOnly = '-c default_transaction_read_only=on'

/** Settings of every connection of the service. */
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
