import type pg from 'pg'
import { runBatch, runBlock } from '../driver/protocol.ts'
import { combine, type Statements } from './combining.ts'

/** Runs the statements of several as one transaction, in the way that this database needs. */
export type Atomically = (client: pg.Client, all: readonly Statements[]) => Promise<unknown>

export const atomically =
  (hasCitus: () => Promise<boolean>): Atomically =>
  async (client, all) => {
    // On Citus the rows of one statement could be on several machines.
    if (await hasCitus()) return await runAsIs(client, all.flat())
    return await runBatch(client, combine(all))
  }

const runAsIs = (client: pg.Client, statements: Statements): Promise<unknown> =>
  (statements.length > 1 ? runBlock : runBatch)(client, statements)
