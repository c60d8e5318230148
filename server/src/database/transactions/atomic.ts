import type pg from 'pg'
import { hasCitusSql } from '../driver/citus.ts'
import { runBatch, runBlock, runOne, type Statement } from '../driver/protocol.ts'

/** Runs statements as one transaction, in the way that this database needs. */
export type Atomically = (client: pg.Client, statements: readonly Statement[]) => Promise<unknown>

/** Asks the database once, at its first commit, whether it is one of Citus. */
export function atomically(): Atomically {
  let hasCitus: boolean | undefined

  return async (client, statements) => {
    if (statements.length === 1) return await runBatch(client, statements)
    hasCitus ??= await asked(client)
    return await (hasCitus ? runBlock : runBatch)(client, statements)
  }
}

async function asked(client: pg.Client): Promise<boolean> {
  const [row] = await runOne<{ hasCitus: boolean }>(client, { sql: hasCitusSql, parameters: [] })
  return row?.hasCitus === true
}
