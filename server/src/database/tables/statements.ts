import type { Insert } from '../driver/insert.ts'
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
  insertOf(columnsOf(table, row), Object.values(row))

/** Inserts of many rows with the same columns. */
export function insertStatements(table: keyof Tables, rows: readonly object[]): Statement[] {
  const [first] = rows
  if (!first) return []
  return insertsOf(
    columnsOf(table, first),
    rows.flatMap((row) => Object.values(row)),
  )
}

/** Joins statements of an insert to fewer; the rows stay in their order. */
export const joined = (insert: Insert, statements: readonly Statement[]): readonly Statement[] =>
  statements.length === 1
    ? statements
    : insertsOf(
        insert,
        statements.flatMap(({ parameters }) => parameters),
      )

/** How many rows a statement may have: few sizes, as each connection keeps a plan of each. */
const sizes = [16, 8, 4, 2, 1]

function insertsOf(insert: Insert, values: readonly unknown[]): Statement[] {
  const width = insert.columns.length
  const statements: Statement[] = []
  let at = 0
  for (const size of sizes) {
    for (; values.length - at >= size * width; at += size * width) {
      statements.push(insertOf(insert, values.slice(at, at + size * width), size))
    }
  }
  return statements
}

const insertsByShape = new Map<string, Insert>()

function columnsOf(table: keyof Tables, row: object): Insert {
  const columns = Object.keys(row)
  const shape = `${table} ${columns}`
  const known = insertsByShape.get(shape)
  if (known) return known
  const made = { table, columns }
  insertsByShape.set(shape, made)
  return made
}

/** Inserts values that stand row after row. */
export function insertOf(insert: Insert, parameters: readonly unknown[], rowCount = 1): Statement {
  return { sql: insertSql(insert, rowCount), parameters, insert }
}

const textsByInsert = new WeakMap<Insert, Map<number, string>>()

function insertSql(insert: Insert, rowCount: number): string {
  const texts = textsByInsert.get(insert) ?? new Map<number, string>()
  const known = texts.get(rowCount)
  if (known !== undefined) return known
  const made = newInsertSql(insert, rowCount)
  textsByInsert.set(insert, texts.set(rowCount, made))
  return made
}

function newInsertSql({ table, columns, ending = '' }: Insert, rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const places = columns.map((_, at) => `$${row * columns.length + at + 1}`)
    return `(${places.join(', ')})`
  })
  return `insert into ${table} (${columns.join(', ')}) values ${rows.join(', ')} ${ending}`
}
