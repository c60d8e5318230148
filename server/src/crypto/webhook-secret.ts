import { randomBytes } from 'node:crypto'
import type { Row } from '../database/tenant-tables.ts'
import type { Cipher } from './cipher.ts'

/** What a webhook endpoint keeps of its secrets. */
type Sealed = Pick<Row<'webhook_endpoints'>, 'id' | 'secret_sealed' | 'previous_secrets'>

/** An earlier secret, which signs too until then: milliseconds since 1970. */
export type PreviousSecret = { sealed: string; until_ms: number }

/** As this service alone writes the column; the newest first. */
export const previousOf = ({ previous_secrets }: Pick<Sealed, 'previous_secrets'>) =>
  previous_secrets as readonly PreviousSecret[]

export const stillSigning = (row: Pick<Sealed, 'previous_secrets'>, now: string) =>
  previousOf(row).filter(({ until_ms }) => Date.parse(now) < until_ms)

/** As Standard Webhooks has it: 32 random bytes in base64, behind a prefix. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Bound to the endpoint: what is sealed for one cannot be opened as another's. */
const purposeOf = (endpointId: string) => `webhook_endpoints.secret ${endpointId}`

export const sealSecret = (cipher: Cipher, endpointId: string, secret: string): string =>
  cipher.seal(secret, purposeOf(endpointId))

/** The secrets that sign for an endpoint at a time, the newest first. */
export function openSecrets(cipher: Cipher, row: Sealed, now: string): [string, ...string[]] {
  const open = (sealed: string) => cipher.open(sealed, purposeOf(row.id))
  return [open(row.secret_sealed), ...stillSigning(row, now).map(({ sealed }) => open(sealed))]
}
