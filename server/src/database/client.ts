import pg from 'pg'
import type { DatabaseAddress } from './address.ts'

const statementTimeoutMs = 10_000

/** `2026-11-21 06:51:47.1+00` → `2026-11-21T06:51:47.100Z`. Sessions run in UTC. */
export function isoTime(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

const bigintOid = 20
const timestamptzOid = 1184

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // Constraints keep every bigint of ours under 2^53.
    if (oid === bigintOid) return Number
    if (oid === timestamptzOid) return isoTime
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

/** Settings that every connection of the service has. `pipeline` sends without waiting. */
export function clientConfig(address: DatabaseAddress): pg.ClientConfig & { pipeline: true } {
  return {
    ...address,
    types,
    pipeline: true,
    application_name: 'flightdeck',
    connectionTimeoutMillis: 5_000,
    query_timeout: statementTimeoutMs + 2_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    options: '-c timezone=UTC -c datestyle=ISO',
  }
}

const names = new Map<string, string>()
const mostNames = 500

/**
 * A name lets PostgreSQL parse and plan a statement once per connection. Statements whose text
 * depends on input would grow without bound, so after the first hundreds the rest go unnamed.
 */
export function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= mostNames) return known
  const name = `s${names.size}`
  names.set(sql, name)
  return name
}

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] }

/** Sends a statement at once, behind whatever the client has already sent. */
export async function send<Row>(client: pg.ClientBase, statement: Statement): Promise<Row[]> {
  const result = await client.query({
    name: nameOf(statement.sql),
    text: statement.sql,
    values: statement.parameters as unknown[],
  } as pg.QueryConfig)
  return result.rows
}
