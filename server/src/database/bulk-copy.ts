import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { DatabaseAddress } from './address.ts'

/** A connection of its own for work that goes through whole tables, however long that takes. */
export type BulkConnection = pg.Client

// By name, because not every version has all of them.
const withoutTimeouts = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'transaction_timeout', 'lock_timeout',
    'idle_in_transaction_session_timeout', 'idle_session_timeout')`

/** The same values are the same text on every server. */
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
  // A cut connection surfaces as the fault of whoever waits for it.
  client.on('error', () => {})
  await client.connect()
  await client.query(withoutTimeouts)
  return client
}

/** The rows of a query as COPY writes them: one a line. */
export const copyOut = (client: BulkConnection, query: string): AsyncIterable<Buffer> =>
  client.query(to(`copy (${query}) to stdout`))

/** Writes such rows; `into` is the table with its columns. */
export const copyIn = (
  client: BulkConnection,
  into: string,
  chunks: AsyncIterable<Buffer>,
): Promise<void> => pipeline(Readable.from(chunks), client.query(from(`copy ${into} from stdin`)))

export const quoted = (name: string): string => pg.escapeIdentifier(name)
