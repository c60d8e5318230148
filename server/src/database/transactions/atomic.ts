import type pg from 'pg'
import { runBatch, runBlock, type Statement } from '../driver/protocol.ts'

/** Runs statements as one transaction, in the way that this database needs. */
export type Atomically = (client: pg.Client, statements: readonly Statement[]) => Promise<unknown>

export const atomically =
  (hasCitus: () => Promise<boolean>): Atomically =>
  async (client, statements) => {
    const isBlock = statements.length > 1 && (await hasCitus())
    return await (isBlock ? runBlock : runBatch)(client, statements)
  }
