import pg from 'pg'

type SqlError = Partial<Pick<pg.DatabaseError, 'code' | 'constraint' | 'table' | 'column'>>

export const isSqlError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError

/** PostgreSQL's fields of an error; none for errors from elsewhere. */
export const sqlErrorOf = (error: unknown): SqlError => (isSqlError(error) ? error : {})
