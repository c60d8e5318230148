import pg from 'pg'

type SqlError = Partial<Pick<pg.DatabaseError, 'code' | 'constraint' | 'table' | 'column'>>

export const isSqlError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError

/** What PostgreSQL says about a statement that it refused; nothing of any other error. */
export const sqlErrorOf = (error: unknown): SqlError => (isSqlError(error) ? error : {})
