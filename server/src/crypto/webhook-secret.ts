import { randomBytes } from 'node:crypto'
import type { Row } from '../database/tenant-tables.ts'
import type { Cipher } from './cipher.ts'

/** The stored secrets of a webhook endpoint. */
type Sealed = Pick<Row<'webhook_endpoints'>, 'id' | 'secret_sealed' | 'previous_secrets'>

/** A previous secret, which also signs until that time (milliseconds since the epoch). */
export type PreviousSecret = { sealed: string; until_ms: number }

/** Written by this service only; newest first. */
export const previousOf = ({ previous_secrets }: Pick<Sealed, 'previous_secrets'>) =>
  previous_secrets as readonly PreviousSecret[]

export const stillSigning = (row: Pick<Sealed, 'previous_secrets'>, now: string) =>
  previousOf(row).filter(({ until_ms }) => Date.parse(now) < until_ms)

/** As specified by Standard Webhooks: 32 random bytes in base64 with a prefix. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Bound to the endpoint, so that ciphertexts cannot be swapped. */
const purposeOf = (endpointId: string) => `webhook_endpoints.secret ${endpointId}`

export const sealSecret = (cipher: Cipher, endpointId: string, secret: string): string =>
  cipher.seal(secret, purposeOf(endpointId))

/** The secrets that currently sign for an endpoint, newest first. */
export function openSecrets(cipher: Cipher, row: Sealed, now: string): [string, ...string[]] {
  const open = (sealed: string) => cipher.open(sealed, purposeOf(row.id))
  return [open(row.secret_sealed), ...stillSigning(row, now).map(({ sealed }) => open(sealed))]
}
