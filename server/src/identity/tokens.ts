import {
  importJWK,
  type JWK,
  type JWTPayload,
  errors as joseErrors,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LruMap } from 'toad-cache'
import type { Cipher } from '../crypto/cipher.ts'
import {
  algorithm,
  anyPublicKey,
  type Key,
  publishedKeys,
  type SigningKey,
  tokenLifetimeSeconds,
  unsealed,
} from '../crypto/signing-keys.ts'
import type { Database } from '../database/database.ts'
import { Problem } from '../problems/problem.ts'
import type { Clock } from '../values/clock.ts'
import { type Issuer, mayHaveIssued } from './issuer.ts'
import { type Role, roles } from './permissions.ts'

/** The expiry of a token issued at this time (seconds since the epoch), as RFC 3339. */
export const expiryOf = (issuedAt: number): string =>
  new Date((issuedAt + tokenLifetimeSeconds) * 1000).toISOString()

export type Claims = {
  readonly userId: string
  readonly organizationId: string
  readonly sessionId: string
  readonly tokenId: string
  readonly role: Role
  /** Seconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

type NewClaims = Omit<Claims, 'expiresAt'>

export type Tokens = {
  /** In whose name they are issued; those of another are refused. */
  readonly issuer: string
  /** EdDSA is deterministic: the same claims always yield the same token. */
  sign(claims: NewClaims): Promise<{ token: string; expires_at: string }>
  /** The claims, or 401 `invalid_token` / `token_expired`. */
  verify(token: string): Promise<Claims>
  /** The public keys, for `/.well-known/jwks.json`. */
  publicKeys(): Promise<JWK[]>
  /** The current signing key, also used for audit checkpoints. */
  signingKey(): Promise<SigningKey>
  /** The public key with this id, including retired keys. */
  publicKey(id: string): Promise<Key | undefined>
}

type TokenDeps = { database: Database; cipher: Cipher; clock: Clock; issuer: Issuer }

const audience = 'flightdeck'
const cacheSize = 20_000

/** Greater than any clock skew between replicas. */
export const skewSeconds = 600

export function tokensWith({ database, cipher, clock, issuer }: TokenDeps): Tokens {
  const verified = new LruMap<Claims>(cacheSize)
  const keys = publishedKeys(database, clock)

  async function verifySignature(token: string): Promise<Claims> {
    if (!isSpeltOnce(token)) throw new Problem('invalid_token', 'The bearer token is not valid.')
    const { payload } = await jwtVerify(token, async ({ kid }) => keys.verifying(kid), {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['iss', 'sub', 'org', 'sid', 'jti', 'role', 'iat', 'nbf', 'exp'],
      currentDate: clock.now(),
      clockTolerance: skewSeconds,
    })
    // Allows a token issued in the future by another replica, but not an expired one.
    if (!mayHaveIssued(issuer, payload.iss, Number(payload.iat))) throw invalidIssuer()
    return unexpired(claimsOf(payload), clock)
  }

  async function signingKey(): Promise<SigningKey> {
    const row = await keys.signing()
    return { id: row.id, key: await importJWK(unsealed(cipher, row), algorithm) }
  }

  return {
    issuer: issuer.name,
    signingKey,
    publicKey: (id) => anyPublicKey({ database, cipher }, id),
    async sign(claims) {
      const token = await signed(claims, issuer.name, await signingKey())
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

const signed = (claims: NewClaims, issuer: string, { id, key }: SigningKey): Promise<string> =>
  new SignJWT({ org: claims.organizationId, sid: claims.sessionId, role: claims.role })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: id })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(claims.userId)
    .setJti(claims.tokenId)
    .setIssuedAt(claims.issuedAt)
    .setNotBefore(claims.issuedAt)
    .setExpirationTime(claims.issuedAt + tokenLifetimeSeconds)
    .sign(key)

function unexpired(claims: Claims, clock: Clock): Claims {
  if (claims.expiresAt * 1000 <= clock.now().getTime()) throw expired()
  return claims
}

/** The last character of a signature has bits that nothing reads: only one spelling counts. */
function isSpeltOnce(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const invalidIssuer = () =>
  new Problem('invalid_token', 'The bearer token was issued by another service.')

const expired = () => new Problem('token_expired', 'The token has expired.')

function refuse(cause: unknown): never {
  if (cause instanceof joseErrors.JWTExpired) throw expired()
  if (cause instanceof joseErrors.JOSEError) {
    throw new Problem('invalid_token', 'The bearer token is not valid.', { cause })
  }
  throw cause
}

function claimsOf({ sub, org, sid, jti, role, iat, exp }: JWTPayload): Claims {
  const known = roles.find((each) => each === role)
  if (!known) throw new Problem('invalid_token', 'The role of the bearer token is unknown.')
  return {
    userId: String(sub),
    organizationId: String(org),
    sessionId: String(sid),
    tokenId: String(jti),
    role: known,
    issuedAt: Number(iat),
    expiresAt: Number(exp),
  }
}
