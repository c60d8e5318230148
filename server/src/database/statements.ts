import type { Compilable } from 'kysely'
import type { Statement } from './driver/protocol.ts'
import { builder } from './kysely.ts'
import type { Tables } from './types.ts'

const sqlByShape = new Map<string, string>()

/** Compiles a query once per shape. The caller gives the parameters in the order of its text. */
export function sqlOf(shape: string, build: () => Compilable): string {
  const known = sqlByShape.get(shape)
  if (known !== undefined) return known
  const { sql } = build().compile()
  sqlByShape.set(shape, sql)
  return sql
}

/** An insert, compiled once for each set of columns. */
export function insertStatement(table: keyof Tables, row: object): Statement {
  const sql = sqlOf(`insert ${table} ${Object.keys(row)}`, () =>
    builder.insertInto(table as 'campaigns').values(row as never),
  )
  return { sql, parameters: Object.values(row) }
}

const maxRowsPerStatement = 20

/** Inserts of many rows with the same columns; a small limit keeps the number of shapes low. */
export function insertStatements(table: keyof Tables, rows: readonly object[]): Statement[] {
  const statements: Statement[] = []
  for (let at = 0; at < rows.length; at += maxRowsPerStatement) {
    const some = rows.slice(at, at + maxRowsPerStatement)
    const sql = sqlOf(`insert ${table} ${Object.keys(some[0] ?? {})} × ${some.length}`, () =>
      builder.insertInto(table as 'campaigns').values(some as never),
    )
    statements.push({ sql, parameters: some.flatMap((row) => Object.values(row)) })
  }
  return statements
}
