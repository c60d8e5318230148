import type pg from 'pg'
import { runBatch, type Statement, typed } from '../driver/protocol.ts'
import type { Query } from '../tables/kysely.ts'
import { combined, type PendingRead } from './read-batching.ts'

/**
 * Batches the reads that the work starts before it awaits any. Not `batch()`, in which reads would
 * wait for those under way.
 */
export function batchReads(client: pg.Client): Query {
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
      for (const read of reads) read.reject(error)
    },
  )
}
