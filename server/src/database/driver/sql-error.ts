import pg from 'pg'

type SqlError = Partial<Pick<pg.DatabaseError, 'code' | 'constraint' | 'table' | 'column'>>

export const isSqlError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError

/** Details that PostgreSQL gives of a statement that it refused; empty for any other error. */
export function sqlErrorOf(error: unknown): SqlError {
  if (!isSqlError(error)) return {}
  const { code, column } = error
  const { constraint = named(error, 'constraint'), table = named(error, 'relation') } = error
  return { code, constraint: withoutShard(constraint), table: withoutShard(table), column }
}

const names = { constraint: /constraint "([^"]{1,80})"/, relation: /relation "([^"]{1,80})"/ }

/** Citus passes on the text of a worker's error, not its fields. */
const named = ({ code, message }: pg.DatabaseError, kind: keyof typeof names) =>
  code?.startsWith('23') ? names[kind].exec(message)?.[1] : undefined

/** A shard of Citus has the names of its table and its constraints with its number: `…_102126`. */
const withoutShard = (name: string | undefined) => name?.replace(/_\d{6,}$/, '')

/** Citus refuses a statement that it cannot send to the shards. */
export const isUnsupported = (error: unknown): boolean =>
  isSqlError(error) && error.code === '0A000'

/** After a shutdown, an internal error or a lost connection, the commit may have happened. */
const unknownOutcome = /^(08|57P|58|XX)/

/** The server refused, so nothing was committed. By code, as its messages may be localized. */
export const isRefusal = (error: unknown): boolean =>
  isSqlError(error) && !unknownOutcome.test(error.code ?? '')
