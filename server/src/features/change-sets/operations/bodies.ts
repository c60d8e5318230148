import { type SealedTable, sealedFor } from '../../../crypto/sealed-table.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { ExactNumber } from '../../../values/exact-number.ts'
import type { Operation } from './read.ts'

/** Bound to the operation, so that ciphertexts cannot be swapped. */
const purposeOf = (id: string) => `change_set_operations.body ${id}`

export const sealedBodies: SealedTable = {
  table: 'change_set_operations',
  key: { organization_id: 'text', id: 'text' },
  columns: { body_sealed: sealedFor(({ id }) => purposeOf(String(id))) },
}

type StoredBody = Pick<Row<'change_set_operations'>, 'body' | 'body_sealed'>

/** Bodies of proxies have passwords. */
export function storedBody(
  { services }: Context,
  id: string,
  { resource, body }: Pick<Operation, 'resource' | 'body'>,
): StoredBody {
  const text = body === undefined ? null : JSON.stringify(body, exactly)
  if (resource !== 'proxy' || text === null) return { body: text, body_sealed: null }
  return { body: null, body_sealed: services.crypto.cipher.seal(text, purposeOf(id)) }
}

/** An amount beyond double precision is kept as its text. */
const exactly = (_: string, value: unknown) => (value instanceof ExactNumber ? value.text : value)

export function openBody(
  { services }: Context,
  { id, body, body_sealed }: StoredBody & { id: string },
): unknown {
  const text = body_sealed === null ? body : services.crypto.cipher.open(body_sealed, purposeOf(id))
  return text === null ? undefined : JSON.parse(text)
}
