import type { PreviousSecret } from '../database/tables/json-columns.ts'
import type { Row } from '../database/tables/tenant-tables.ts'
import type { Cipher } from './cipher.ts'
import { type Resealer, type SealedRow, type SealedTable, sealedFor } from './sealed-table.ts'

/** The stored secrets of a webhook endpoint. */
type Sealed = Pick<Row<'webhook_endpoints'>, 'id' | 'secret_sealed' | 'previous_secrets'>

/** Newest first. */
export const stillSigning = ({ previous_secrets }: Pick<Sealed, 'previous_secrets'>, now: string) =>
  previous_secrets.filter(({ until_ms }) => Date.parse(now) < until_ms)

/** Bound to the endpoint, so that ciphertexts cannot be swapped. */
const purposeOf = (endpointId: string) => `webhook_endpoints.secret ${endpointId}`

export const sealSecret = (cipher: Cipher, endpointId: string, secret: string): string =>
  cipher.seal(secret, purposeOf(endpointId))

export const sealedWebhookSecrets: SealedTable = {
  table: 'webhook_endpoints',
  key: { organization_id: 'text', id: 'text' },
  columns: {
    secret_sealed: sealedFor(({ id }) => purposeOf(String(id))),
    previous_secrets: { type: 'jsonb', reseal: resealPrevious },
  },
}

function resealPrevious(value: string, { id }: SealedRow, resealer: Resealer): string {
  const secrets: PreviousSecret[] = JSON.parse(value)
  const resealed = secrets.map(({ sealed, ...rest }) => ({
    sealed: resealer.sealed(sealed, purposeOf(String(id))),
    ...rest,
  }))
  return JSON.stringify(resealed)
}

/** The secrets that currently sign for an endpoint, newest first. */
export function openSecrets(cipher: Cipher, row: Sealed, now: string): [string, ...string[]] {
  const open = (sealed: string) => cipher.open(sealed, purposeOf(row.id))
  return [open(row.secret_sealed), ...stillSigning(row, now).map(({ sealed }) => open(sealed))]
}
