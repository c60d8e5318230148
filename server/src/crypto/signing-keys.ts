import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  errors as joseErrors,
} from 'jose'
import { singleFlight } from '../concurrency/single-flight.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Clock } from '../values/clock.ts'
import { idType, isId, newId } from '../values/ids.ts'
import { type Cipher, WrongKey } from './cipher.ts'
import { type SealedTable, sealedFor } from './sealed-table.ts'

export const signingKeyIds = idType('signing key', 'key')

export const tokenLifetimeSeconds = 24 * 60 * 60

/** Retired keys stay published until the last token they signed has expired, plus a margin. */
export const retiredKeyLifetimeMs = (tokenLifetimeSeconds + 5 * 60) * 1000

export type Key = CryptoKey | Uint8Array

export type SigningKey = { id: string; key: Key }

type KeyRow = {
  id: string
  public_jwk: JWK
  private_jwk_sealed: string
  created_at: string
  retired_at: string | null
}

const purposeOf = (id: string) => `signing_keys.private_jwk ${id}`

export const sealedSigningKeys: SealedTable = {
  table: 'signing_keys',
  key: { id: 'text' },
  columns: { private_jwk_sealed: sealedFor(({ id }) => purposeOf(String(id))) },
}

const reloadAfterMs = 1_000

export const algorithm = 'EdDSA'

const keysSql = `
  select id, public_jwk, private_jwk_sealed, created_at, retired_at from signing_keys
  where retired_at is null or retired_at > $1 order by created_at desc, id desc`

/**
 * The keys in the database. Another process may rotate them at any time, so they are read again to
 * sign, to publish, and for an unknown key id; verification uses a cache of one second.
 */
export function publishedKeys(database: Database, clock: Clock) {
  let known: KeyRow[] = []
  let readAt = Number.NEGATIVE_INFINITY

  const read = singleFlight(async (): Promise<KeyRow[]> => {
    const oldest = new Date(clock.now().getTime() - retiredKeyLifetimeMs).toISOString()
    known = await database.reader.query<KeyRow>({ sql: keysSql, parameters: [oldest] })
    readAt = performance.now()
    return known
  })

  /** Coalesces concurrent calls: one query runs, and at most one more waits for it. */
  async function fresh(): Promise<KeyRow[]> {
    // The query in progress may have started before a key was stored.
    await read.idle()
    return read()
  }

  async function find(kid: string | undefined): Promise<KeyRow | undefined> {
    const isRecent = performance.now() - readAt < reloadAfterMs
    const seen = isRecent ? known.find((row) => row.id === kid) : undefined
    return seen ?? (await fresh()).find((row) => row.id === kid)
  }

  return {
    all: fresh,
    async signing(): Promise<KeyRow> {
      const current = (await fresh()).find((row) => row.retired_at === null)
      if (!current) throw new Error('there is no signing key')
      return current
    },
    async verifying(kid: string | undefined): Promise<Key> {
      const key = await find(kid)
      if (!key) throw new joseErrors.JWKSNoMatchingKey()
      return importJWK(key.public_jwk, algorithm)
    },
  }
}

type SealedKey = Pick<KeyRow, 'id' | 'private_jwk_sealed'>

export const unsealed = (cipher: Cipher, { id, private_jwk_sealed }: SealedKey): JWK =>
  JSON.parse(cipher.open(private_jwk_sealed, purposeOf(id)))

const publicPart = ({ d: _, ...jwk }: JWK): JWK => jwk

const sealedKeySql = 'select id, private_jwk_sealed from signing_keys where id = $1'

/** From the sealed private key: a forged row cannot be opened. */
export async function anyPublicKey(
  { database, cipher }: { database: Database; cipher: Cipher },
  id: string,
): Promise<Key | undefined> {
  if (!isId(signingKeyIds, id)) return undefined
  const [row] = await database.reader.query<SealedKey>({ sql: sealedKeySql, parameters: [id] })
  try {
    return row && (await importJWK(publicPart(unsealed(cipher, row)), algorithm))
  } catch (error) {
    if (error instanceof WrongKey) return undefined
    throw error
  }
}

export type NewSigningKey = { id: string; public_jwk: string; private_jwk_sealed: string }

export async function newSigningKey(cipher: Cipher): Promise<NewSigningKey> {
  const id = newId(signingKeyIds)
  const { publicKey, privateKey } = await generateKeyPair(algorithm, {
    crv: 'Ed25519',
    extractable: true,
  })
  const sealed = cipher.seal(JSON.stringify(await exportJWK(privateKey)), purposeOf(id))
  return {
    id,
    public_jwk: JSON.stringify(await exportJWK(publicKey)),
    private_jwk_sealed: sealed,
  }
}

const currentSql = 'select id, private_jwk_sealed from signing_keys where retired_at is null'
const retireSql = 'update signing_keys set retired_at = $2, private_jwk_sealed = $3 where id = $1'
const addSql = `
  insert into signing_keys (id, public_jwk, private_jwk_sealed, created_at) values ($1, $2, $3, $4)`

/** Call inside a transaction. */
type Rotation = { tx: Transaction; now: string; services: { crypto: { cipher: Cipher } } }

export type Rotated = { kid: string; retired: string[]; retired_at: string }

/**
 * The new key signs from the commit on. The old one still verifies tokens until the last has
 * expired, and audit checkpoints forever: its private part is deleted at once, its row never.
 */
export async function rotateSigningKey({ tx, now, services }: Rotation): Promise<Rotated> {
  const { cipher } = services.crypto
  const { id, public_jwk, private_jwk_sealed } = await newSigningKey(cipher)
  const current = await tx.query<SealedKey>({ sql: currentSql, parameters: [] })
  for (const old of current) {
    const rest = JSON.stringify(publicPart(unsealed(cipher, old)))
    tx.send({ sql: retireSql, parameters: [old.id, now, cipher.seal(rest, purposeOf(old.id))] })
  }
  tx.send({ sql: addSql, parameters: [id, public_jwk, private_jwk_sealed, now] })
  return { kid: id, retired: current.map((key) => key.id), retired_at: now }
}
