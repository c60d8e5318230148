import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  errors as joseErrors,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Database } from '../database/database.ts'
import type { Clock } from '../values/clock.ts'
import type { WriteContext } from '../kernel/context.ts'
import { Problem } from '../problems/problem.ts'
import { isId, newId } from '../values/ids.ts'
import { LRUMap } from '../concurrency/lru.ts'
import type { Role } from './permissions.ts'
import { type Cipher, WrongKey } from '../crypto/cipher.ts'

const tokenLifetimeSeconds = 24 * 60 * 60
/** A retired key stays published until the last token that it signed has expired, and a little. */
export const retiredKeyLifetimeMs = (tokenLifetimeSeconds + 5 * 60) * 1000

/** When a token expires that was issued then, in seconds since 1970. */
export const expiryOf = (issuedAt: number): string =>
  new Date((issuedAt + tokenLifetimeSeconds) * 1000).toISOString()

export type Claims = {
  readonly userId: string
  readonly organizationId: string
  readonly sessionId: string
  readonly tokenId: string
  readonly role: Role
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
}

export type Tokens = {
  /** EdDSA is deterministic: the same claims always give the same token. */
  sign(claims: Omit<Claims, 'expiresAt'>): Promise<{ token: string; expires_at: string }>
  /** The claims, or 401 `invalid_token` / `token_expired`. */
  verify(token: string): Promise<Claims>
  /** The public keys, for `/.well-known/jwks.json`. */
  publicKeys(): Promise<JWK[]>
  /** The key that signs now, for whatever else the service vouches for. */
  signingKey(): Promise<SigningKey>
  /** The public key with this id, however long ago it was retired. */
  publicKey(id: string): Promise<Key | undefined>
}

export type Key = CryptoKey | Uint8Array
export type SigningKey = { id: string; key: Key }

type Settings = { database: Database; cipher: Cipher; clock: Clock; issuer: string }

const algorithm = 'EdDSA'
const audience = 'flightdeck'
const mostRemembered = 20_000
const reloadAfterMs = 1_000
/** Clocks of replicas differ by less. */
export const skewSeconds = 600

type KeyRow = {
  id: string
  public_jwk: JWK
  private_jwk_sealed: string
  created_at: string
  retired_at: string | null
}

const purposeOf = (id: string) => `signing_keys.private_jwk ${id}`

export function tokensWith({ database, cipher, clock, issuer }: Settings): Tokens {
  const verified = new LRUMap<string, Claims>(mostRemembered)
  const keys = publishedKeys(database, clock)

  async function verifySignature(token: string): Promise<Claims> {
    const { payload } = await jwtVerify(token, async ({ kid }) => keys.verifying(kid), {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ['sub', 'org', 'sid', 'jti', 'role', 'iat', 'nbf', 'exp'],
      currentDate: clock.now(),
      clockTolerance: skewSeconds,
    })
    // Tolerated is a token that another replica made in its future, not one that has expired.
    return unexpired(claimsOf(payload), clock)
  }

  async function signingKey(): Promise<SigningKey> {
    const row = await keys.signing()
    return { id: row.id, key: await importJWK(unsealed(cipher, row), algorithm) }
  }

  return {
    signingKey,
    publicKey: (id) => anyPublicKey({ database, cipher }, id),
    async sign(claims) {
      const { id, key } = await signingKey()
      const token = await new SignJWT({
        org: claims.organizationId,
        sid: claims.sessionId,
        role: claims.role,
      })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(claims.userId)
        .setJti(claims.tokenId)
        .setIssuedAt(claims.issuedAt)
        .setNotBefore(claims.issuedAt)
        .setExpirationTime(claims.issuedAt + tokenLifetimeSeconds)
        .sign(key)
      return { token, expires_at: expiryOf(claims.issuedAt) }
    },
    async verify(token) {
      const known = verified.get(token)
      if (known) return unexpired(known, clock)
      const claims = await verifySignature(token).catch(refuse)
      verified.set(token, claims)
      return claims
    },
    publicKeys: async () =>
      (await keys.all()).map((key) => ({
        ...key.public_jwk,
        kid: key.id,
        alg: algorithm,
        use: 'sig',
      })),
  }
}

function unexpired(claims: Claims, clock: Clock): Claims {
  if (claims.expiresAt * 1000 <= clock.now().getTime()) throw expired()
  return claims
}

const expired = () => new Problem('token_expired', 'The token has expired.')

function refuse(cause: unknown): never {
  if (cause instanceof joseErrors.JWTExpired) throw expired()
  if (cause instanceof joseErrors.JOSEError) {
    throw new Problem('invalid_token', 'The bearer token is not valid.', { cause })
  }
  throw cause
}

function claimsOf(payload: Record<string, unknown>): Claims {
  const { sub, org, sid, jti, role, iat, exp } = payload as Record<string, string & number>
  return {
    userId: String(sub),
    organizationId: String(org),
    sessionId: String(sid),
    tokenId: String(jti),
    role: role as unknown as Role,
    issuedAt: Number(iat),
    expiresAt: Number(exp),
  }
}

const keysSql = `
  select id, public_jwk, private_jwk_sealed, created_at, retired_at from signing_keys
  where retired_at is null or retired_at > $1 order by created_at desc, id desc`

/**
 * The keys in the database. Another process may rotate them at any moment, so they are read again
 * to sign, to publish, and for a key id not seen before; what is known verifies for a second.
 */
function publishedKeys(database: Database, clock: Clock) {
  let known: KeyRow[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<KeyRow[]> | undefined

  async function read(): Promise<KeyRow[]> {
    const oldest = new Date(clock.now().getTime() - retiredKeyLifetimeMs).toISOString()
    known = await database.reader.query<KeyRow>({ sql: keysSql, parameters: [oldest] })
    readAt = performance.now()
    return known
  }

  /** However many ask at once, one query runs and at most one more waits for it. */
  async function fresh(): Promise<KeyRow[]> {
    await reading?.catch(() => {})
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
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

const unsealed = (cipher: Cipher, { id, private_jwk_sealed }: SealedKey): JWK =>
  JSON.parse(cipher.open(private_jwk_sealed, purposeOf(id)))

const publicPart = ({ d: _, ...jwk }: JWK): JWK => jwk

const sealedKeySql = 'select id, private_jwk_sealed from signing_keys where id = $1'

/** From what the master key has sealed: a row that somebody else put there opens nothing. */
async function anyPublicKey(
  { database, cipher }: Pick<Settings, 'database' | 'cipher'>,
  id: string,
): Promise<Key | undefined> {
  if (!isId('signing_key', id)) return undefined
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
  const id = newId('signing_key')
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

export type Rotated = { kid: string; retired: string[]; retired_at: string }

/**
 * A new key signs from the commit on. The old one verifies tokens until the last has expired, and
 * audit checkpoints for good: its private part is forgotten at once, its row never.
 */
export async function rotateSigningKey({ tx, now, services }: WriteContext): Promise<Rotated> {
  const { cipher } = services
  const { id, public_jwk, private_jwk_sealed } = await newSigningKey(cipher)
  const current = await tx.query<SealedKey>({ sql: currentSql, parameters: [] })
  for (const old of current) {
    const rest = JSON.stringify(publicPart(unsealed(cipher, old)))
    tx.send({ sql: retireSql, parameters: [old.id, now, cipher.seal(rest, purposeOf(old.id))] })
  }
  tx.send({ sql: addSql, parameters: [id, public_jwk, private_jwk_sealed, now] })
  return { kid: id, retired: current.map((key) => key.id), retired_at: now }
}
