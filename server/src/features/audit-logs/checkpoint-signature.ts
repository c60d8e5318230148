import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { Key, SigningKey } from '../../crypto/signing-keys.ts'
import type { Link } from './chain.ts'
import type { AuditCheckpoint } from './schema.ts'

/** The claim of a checkpoint: the organization's chain ended here at this time. */
export type Statement = Link & { organizationId: string; signedAt: Date }

const algorithm = 'EdDSA'
/** The same keys sign tokens; the type keeps one from passing as the other. */
const type = 'audit-checkpoint+jwt'

/** Signatures have whole seconds; a checkpoint shows exactly what is signed. */
export const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000)

/** A compact JWS. EdDSA is deterministic: the same statement always yields the same signature. */
export const signatureOf = (statement: Statement, { id, key }: SigningKey): Promise<string> =>
  new SignJWT({
    org: statement.organizationId,
    sequence: statement.sequence,
    hash: statement.hash,
  })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: id })
    .setIssuedAt(statement.signedAt)
    .sign(key)

/** Finds a public key by id; undefined if it is not the service's. */
export type FindKey = (id: string) => Promise<Key | undefined>

/** The checkpoint's organization; undefined if the signature is invalid. */
export async function signedFor(
  checkpoint: AuditCheckpoint,
  findKey: FindKey,
): Promise<string | undefined> {
  const key = await findKey(checkpoint.key_id)
  if (!key) return undefined
  try {
    const { payload, protectedHeader } = await jwtVerify(checkpoint.signature, key, {
      algorithms: [algorithm],
      typ: type,
    })
    const { org, sequence, hash, iat } = payload
    const isShown =
      protectedHeader.kid === checkpoint.key_id &&
      sequence === checkpoint.sequence &&
      hash === checkpoint.head_hash &&
      iat === Date.parse(checkpoint.signed_at) / 1000
    return isShown && typeof org === 'string' ? org : undefined
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) return undefined
    throw error
  }
}
