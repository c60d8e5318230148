import type { Reader } from '../../database.ts'
import type { Statement } from '../../driver/protocol.ts'
import { isUnsupported } from '../../driver/sql-error.ts'

const refusing = new WeakSet<Reader>()

/**
 * Reads by `sql`, or by `onCitus` where Citus does not support it: after the first refusal at once.
 * Only for what no statement can do on both, with its reason there.
 */
export async function readEither<Row>(
  reader: Reader,
  { sql, onCitus, parameters }: Statement & { onCitus: string },
): Promise<Row[]> {
  if (!refusing.has(reader)) {
    try {
      return await reader.query<Row>({ sql, parameters })
    } catch (error) {
      if (!isUnsupported(error)) throw error
      refusing.add(reader)
    }
  }
  return await reader.query<Row>({ sql: onCitus, parameters })
}
