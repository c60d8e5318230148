import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { insertStatement } from '../database/tables/statements.ts'
import { cipherWith } from './cipher.ts'
import { newProof } from './master-key-proof.ts'
import { newSigningKey } from './signing-keys.ts'

/** An arbitrary constant: replicas that start together agree on one installation and its first keys. */
const firstStartLock = 7_352_115

/** Returns the installation's id. On a new database it is made, with the first keys. */
export async function installationOf(database: Database, masterKey: string): Promise<string> {
  return database.transaction(async (tx) => {
    tx.send({ sql: `select pg_advisory_xact_lock(${firstStartLock})`, parameters: [] })
    const known = await tx.kysely().selectFrom('installation').select('id').executeTakeFirst()
    if (known) return known.id
    const id = randomUUID()
    tx.send(insertStatement('installation', { id }))
    const now = new Date().toISOString()
    const first = { id: 1, proof: newProof(masterKey), active_since: now }
    tx.send(insertStatement('master_keys', first))
    const key = await newSigningKey(cipherWith(masterKey))
    tx.send(insertStatement('signing_keys', { ...key, created_at: now }))
    return id
  })
}
