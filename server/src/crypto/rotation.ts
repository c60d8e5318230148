import type { Database } from '../database/database.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { sqlErrorOf } from '../database/driver/sql-error.ts'
import { cipherWith } from './cipher.ts'
import type { Keyring } from './keyring.ts'
import { isProofOf, newProof, sealKey } from './master-key-proof.ts'
import { resealTable } from './reseal.ts'
import type { SealedTable } from './sealed-table.ts'

/**
 * Changing the master key, in steps that may each be repeated: docs/decisions/0046. From the first one
 * until the last, either key opens everything.
 */
export type KeyChange = { from: number; to: number; isActive: boolean; isOneDayOld: boolean }

type KeyRow = { id: number; proof: string; isActive: boolean; isOneDayOld: boolean }

const keysSql = `
  select id, proof, active_since is not null as "isActive",
    coalesce(active_since < now() - interval '1 day', false) as "isOneDayOld"
  from master_keys order by id`

/** The change that is under way; undefined when there is one key only. */
export async function changeUnderWay({ reader }: Database): Promise<KeyChange | undefined> {
  const [from, to] = await reader.query<KeyRow>({ sql: keysSql, parameters: [] })
  return from && to && { ...to, from: from.id, to: to.id }
}

/** Any constant: of commands that run at once, one adds a key. */
const rotationLock = 7_352_118

const addSql = 'insert into master_keys (id, proof, key_sealed) values ($1, $2, $3)'
const linkSql = 'update master_keys set key_sealed = $2 where id = $1'

/** A change to another key is under way. */
export class OtherChange extends Error {}

/** Adds the new key, sealed under the old one, and the old one sealed under it. */
export const announceKey = (database: Database, keyring: Keyring, newKey: string): Promise<void> =>
  database.transaction(async (tx) => {
    tx.send({ sql: `select pg_advisory_xact_lock(${rotationLock})`, parameters: [] })
    const [old, announced] = await tx.query<KeyRow>({ sql: keysSql, parameters: [] })
    const oldKey = old && keyring.keyOf(old.id)
    if (!old || oldKey === undefined) throw new Error('the present master key is not known')
    if (announced) {
      if (!isProofOf(cipherWith(newKey), announced.proof)) throw new OtherChange()
      return
    }
    const id = old.id + 1
    const added = [id, newProof(newKey), sealKey(oldKey, { id, key: newKey })]
    tx.send({ sql: addSql, parameters: added })
    const linked = [old.id, sealKey(newKey, { id: old.id, key: oldKey })]
    tx.send({ sql: linkSql, parameters: linked })
  })

const deactivateSql = 'update master_keys set active_since = null where id <> $1'
// Without `coalesce`: Citus takes `now()` in none for a table that is on every node.
const activateSql = `
  update master_keys set active_since = now() where id = $1 and active_since is null`

/** From then on processes seal under this key, as soon as they notice. */
export const activation = (id: number): Statement[] => [
  { sql: deactivateSql, parameters: [id] },
  { sql: activateSql, parameters: [id] },
]

type Sealing = { database: Database; keyring: Keyring; tables: readonly SealedTable[] }

export type Resealed = {
  /** By table. */
  rows: Record<string, number>
  /** The rows with a value that no key opens. */
  damaged: string[]
}

/** Brings everything that is under a key under the active one. */
export async function resealAll(
  { database, keyring: { cipher }, tables }: Sealing,
  keyId: number,
): Promise<Resealed> {
  const rows: Record<string, number> = {}
  const damaged = new Set<string>()
  const resealing = { database, cipher, keyId, onDamaged: (row: string) => damaged.add(row) }
  for (const table of tables) {
    // Again, for rows that other processes have written since.
    for (let found = -1; found !== 0; ) {
      found = await resealTable(table, resealing)
      rows[table.table] = (rows[table.table] ?? 0) + found
    }
  }
  return { rows, damaged: [...damaged] }
}

const removeSql = 'delete from master_keys where id = $1'
const unlinkSql = 'update master_keys set key_sealed = null'

/** Forgets a key. PostgreSQL refuses while something is sealed under it. */
export const removal = (id: number): Statement[] => [
  { sql: removeSql, parameters: [id] },
  { sql: unlinkSql, parameters: [] },
]

/** For a database without an organization, whose audit log would have it. */
export const sendAll = (database: Database, statements: readonly Statement[]): Promise<void> =>
  database.transaction(async (tx) => {
    for (const statement of statements) tx.send(statement)
  })

/** Whether a key was not forgotten, or not sealed under, because of the other. */
export const isStillUsed = (error: unknown): boolean =>
  sqlErrorOf(error).constraint?.endsWith('_master_key_fkey') ?? false
