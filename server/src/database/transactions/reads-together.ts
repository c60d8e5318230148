import type pg from 'pg'
import { runBatch, type Statement, typed } from '../driver/protocol.ts'
import { isRefusal } from '../driver/sql-error.ts'
import type { Query } from '../tables/kysely.ts'
import type { SharedConnections } from './connections.ts'
import { combined, type PendingRead } from './read-batching.ts'

/**
 * Gives each transaction one connection for all its reads, so that each sees at least what earlier ones
 * saw. Those that leave over it in one turn of the event loop leave as one batch.
 */
export function readsTogether(
  readers: SharedConnections,
  hasCitus: () => Promise<boolean>,
): () => Promise<Query> {
  const queries = new WeakMap<pg.Client, Query>()
  return async () => {
    const client = await readers.next()
    // On Citus, reads that wait for a lost machine would hold up those of others.
    if (await hasCitus()) return batchReads(client)
    const query = queries.get(client) ?? batchReads(client)
    queries.set(client, query)
    return query
  }
}

/** Batches reads of one turn. Not `batch()`, in which they would wait for those under way. */
function batchReads(client: pg.Client): Query {
  let reads: PendingRead[] = []

  function flushReads(): void {
    const { singly, together } = combined(reads)
    reads = []
    if (singly.length > 0) answer(client, singly)
    // Each by itself: other work then sees how busy the connection is, and takes another one.
    for (const read of together) answer(client, [read])
  }

  const read = (statement: Statement) =>
    new Promise<unknown[]>((resolve, reject) => {
      if (reads.length === 0) setImmediate(flushReads)
      reads.push({ statement, resolve, reject })
    })
  return <Row>(statement: Statement) => typed<Row>(read(statement))
}

function answer(client: pg.Client, reads: readonly PendingRead[]): void {
  runBatch(
    client,
    reads.map((read) => read.statement),
  ).then(
    (results) => {
      for (const [at, read] of reads.entries()) read.resolve(results[at] ?? [])
    },
    (error) => {
      // By itself, only the one at fault is refused.
      if (reads.length > 1 && isRefusal(error)) for (const read of reads) answer(client, [read])
      else for (const read of reads) read.reject(error)
    },
  )
}
