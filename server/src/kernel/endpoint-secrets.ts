import { randomBytes } from 'node:crypto'
import type { Row } from './rows.ts'
import type { Cipher } from './secrets.ts'

/** What a webhook endpoint keeps of its secrets. */
type Sealed = Pick<
  Row<'webhook_endpoints'>,
  'id' | 'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_until'
>

/** As Standard Webhooks has it: 32 random bytes in base64, behind a prefix. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Bound to the endpoint: what is sealed for one cannot be opened as another's. */
const purposeOf = (endpointId: string) => `webhook_endpoints.secret ${endpointId}`

export const sealSecret = (cipher: Cipher, endpointId: string, secret: string): string =>
  cipher.seal(secret, purposeOf(endpointId))

/** The secrets that sign for an endpoint at a time, the newest first. */
export function openSecrets(cipher: Cipher, row: Sealed, now: string): [string, ...string[]] {
  const open = (sealed: string) => cipher.open(sealed, purposeOf(row.id))
  const { previous_secret_sealed: previous, previous_secret_until: until } = row
  const newest = open(row.secret_sealed)
  const isRotating = previous !== null && until !== null && now < until
  return isRotating ? [newest, open(previous)] : [newest]
}
