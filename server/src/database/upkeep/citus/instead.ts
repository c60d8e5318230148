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
  { onCitus, ...statement }: Statement & { onCitus: string },
): Promise<Row[]> {
  if (!refusing.has(reader)) {
    try {
      return await reader.query<Row>(statement)
    } catch (error) {
      if (!isUnsupported(error)) throw error
      refusing.add(reader)
    }
  }
  return await reader.query<Row>({ ...statement, sql: onCitus })
}

type Ways<Asked, Read> = {
  together(asked: readonly Asked[]): Promise<Read[]>
  alone(asked: Asked): Promise<Read | undefined>
}

/**
 * Reads many by one statement, or each by its own where Citus does not support that one, as the rows
 * are on several shards. Missing ones are omitted.
 */
export async function readMany<Asked, Read>(
  reader: Reader,
  asked: readonly Asked[],
  { together, alone }: Ways<Asked, Read>,
): Promise<Read[]> {
  if (!refusing.has(reader)) {
    try {
      return await together(asked)
    } catch (error) {
      if (!isUnsupported(error)) throw error
      refusing.add(reader)
    }
  }
  const each = await Promise.all(asked.map(alone))
  return each.filter((read) => read !== undefined)
}
