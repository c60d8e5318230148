import type { Statement } from '../driver/protocol.ts'
import type { Tables } from './types.ts'

const sqlByShape = new Map<string, string>()

/** Makes the text of a statement once per shape. */
export function sqlOf(shape: string, make: () => string): string {
  const known = sqlByShape.get(shape)
  if (known !== undefined) return known
  const sql = make()
  sqlByShape.set(shape, sql)
  return sql
}

/** An insert; its text is made once for each set of columns. */
export const insertStatement = (table: keyof Tables, row: object): Statement =>
  insertOf(table, [row])

const maxRowsPerStatement = 20

/** Inserts of many rows with the same columns; a small limit keeps the number of shapes low. */
export function insertStatements(table: keyof Tables, rows: readonly object[]): Statement[] {
  const statements: Statement[] = []
  for (let at = 0; at < rows.length; at += maxRowsPerStatement) {
    statements.push(insertOf(table, rows.slice(at, at + maxRowsPerStatement)))
  }
  return statements
}

function insertOf(table: keyof Tables, rows: readonly object[]): Statement {
  const columns = Object.keys(rows[0] ?? {})
  const sql = sqlOf(`insert ${table} ${columns} × ${rows.length}`, () =>
    insertSql(table, columns, rows.length),
  )
  return { sql, parameters: rows.flatMap((row) => Object.values(row)) }
}

function insertSql(table: string, columns: readonly string[], rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const places = columns.map((_, at) => `$${row * columns.length + at + 1}`)
    return `(${places.join(', ')})`
  })
  return `insert into ${table} (${columns.join(', ')}) values ${rows.join(', ')}`
}
