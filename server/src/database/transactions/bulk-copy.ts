import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { DatabaseAddress } from '../address.ts'

/** A separate connection without timeouts, for work on whole tables. */
export type BulkConnection = pg.Client

// By name, because not every version has all of them.
const withoutTimeouts = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'transaction_timeout', 'lock_timeout',
    'idle_in_transaction_session_timeout', 'idle_session_timeout')`

/** Makes the same values the same text on every server. */
const sameText = '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex'

export async function connectInBulk(
  address: DatabaseAddress,
  name: string,
): Promise<BulkConnection> {
  const client = new pg.Client({
    ...address,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    options: sameText,
  })
  // A lost connection surfaces as the error of the pending query.
  client.on('error', () => {})
  await client.connect()
  await client.query(withoutTimeouts)
  return client
}

/** The rows of a query in COPY's text format, one per line. */
export const copyOut = (client: BulkConnection, query: string): AsyncIterable<Buffer> =>
  client.query(to(`copy (${query}) to stdout`))

/** Writes rows in COPY's text format; `into` is the table with its columns. */
export const copyIn = (
  client: BulkConnection,
  into: string,
  chunks: AsyncIterable<Buffer>,
): Promise<void> => pipeline(Readable.from(chunks), client.query(from(`copy ${into} from stdin`)))

export const quoted = (name: string): string => pg.escapeIdentifier(name)
