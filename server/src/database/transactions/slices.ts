import { setImmediate as untilNextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { runBatch, type Statement } from '../driver/protocol.ts'

/** With sixteen rows each, these take about 2 ms to write. */
const sliceSize = 20

/** Inside `begin`. To write very many statements at once would hold up other requests. */
export async function runInSlices(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<void> {
  const running: Promise<unknown>[] = []
  for (let at = 0; at < statements.length; at += sliceSize) {
    if (at > 0) await untilNextTurn()
    const slice = runBatch(client, statements.slice(at, at + sliceSize))
    // Awaited below: the first that fails says why, the others that the transaction is aborted.
    slice.catch(() => {})
    running.push(slice)
  }
  await Promise.all(running)
}
