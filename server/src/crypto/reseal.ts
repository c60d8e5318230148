import type { Database } from '../database/database.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { errorCode } from '../values/errors.ts'
import { keysOf } from '../values/objects.ts'
import type { Cipher } from './cipher.ts'
import { resealerWith, type SealedRow, type SealedTable } from './sealed-table.ts'

/** Rows per transaction: a few milliseconds. */
const batchSize = 100

/** Gives way to other holders of its locks. */
const lockTimeout = { sql: `set local lock_timeout = '2s'`, parameters: [] }

type Resealing = {
  database: Database
  cipher: Cipher
  /** The key that the rows are under. */
  keyId: number
  /** Called with the name of a row whose value no key opens. */
  onDamaged(row: string): void
}

/**
 * Brings all rows of a table that are under a key under the active one, except those that change
 * meanwhile. Returns how many there were; none are left only when there were none.
 */
export async function resealTable(table: SealedTable, resealing: Resealing): Promise<number> {
  const { database, keyId } = resealing
  let count = 0
  let after: readonly string[] = Object.values(table.key).map((type) => firstOf[type])
  for (let more = true; more; ) {
    const parameters = [keyId, batchSize, ...after]
    const rows = await database.reader.query<SealedRow>({ sql: selectSql(table), parameters })
    if (rows.length > 0) await writeBatch(database, updateOf(table, rows, resealing))
    count += rows.length
    after = keyIn(table, rows.at(-1))
    more = rows.length === batchSize
  }
  return count
}

const firstOf = { text: '', timestamptz: '-infinity' } as const

const keyIn = ({ key }: SealedTable, row: SealedRow = {}): string[] =>
  keysOf(key).map((column) => String(row[column]))

function selectSql({ table, key, columns, bound = [], isUnder }: SealedTable): string {
  const names = keysOf(key)
  const asText = [...names, ...keysOf(columns)].map((name) => `t.${name}::text as ${name}`)
  const from = names.map((name, at) => `$${at + 3}::${key[name]}`)
  return `
    select ${[...asText, ...bound.map((name) => `t.${name}`)].join(', ')} from ${table} t
    where ${isUnder ?? 't.sealed_under = $1'}
      and (${names.map((name) => `t.${name}`).join(', ')}) > (${from.join(', ')})
    order by ${names.map((name) => `t.${name}`).join(', ')} limit $2`
}

/** Changes only rows whose values are as they were read. */
function updateOf(sealed: SealedTable, rows: readonly SealedRow[], resealing: Resealing) {
  const { table, key, columns } = sealed
  const [names, changed] = [keysOf(key), keysOf(columns)]
  const given = [...names, ...changed.flatMap((name) => [`old_${name}`, `new_${name}`])]
  // A key has its type before the rows are compared: Citus casts no text to a time in an update.
  const types = [...names.map((name) => key[name]), ...changed.flatMap(() => ['text', 'text'])]
  const isSame = [
    ...names.map((name) => `t.${name} = n.${name}`),
    ...changed.map((name) => `t.${name}::text is not distinct from n.old_${name}`),
  ]
  const sql = `
    update ${table} t
    set ${changed.map((name) => `${name} = n.new_${name}::${columns[name]?.type}`).join(', ')}
    from unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')}) as n (${given.join(', ')})
    where ${isSame.join(' and ')}`
  const parameters = [
    ...names.map((name) => rows.map((row) => textIn(row, name))),
    ...changed.flatMap((name) => [
      rows.map((row) => textIn(row, name)),
      rows.map((row) => resealed(sealed, { row, name }, resealing)),
    ]),
  ]
  return { sql, parameters }
}

const textIn = (row: SealedRow, name: string): string | null => {
  const value = row[name] ?? null
  return value === null ? null : String(value)
}

type Cell = { row: SealedRow; name: string }

function resealed(sealed: SealedTable, { row, name }: Cell, resealing: Resealing): string | null {
  const value = textIn(row, name)
  const column = sealed.columns[name]
  if (value === null || !column) return null
  const { cipher, onDamaged } = resealing
  const place = `${sealed.table} ${keyIn(sealed, row).join(' ')}`
  return column.reseal(
    value,
    row,
    resealerWith(cipher, () => onDamaged(place)),
  )
}

/** A lock timeout or a deadlock. */
const isBlocked = (error: unknown) => /^(55P03|40P01)$/.test(errorCode(error) ?? '')

async function writeBatch(database: Database, statement: Statement): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      tx.send(lockTimeout)
      tx.send(statement)
    })
  } catch (error) {
    // The next pass finds these rows again.
    if (!isBlocked(error)) throw error
  }
}
