import type { Flightdeck } from './client.ts'
import type { Body, Result } from './operation-types.ts'
import type { WriteOptions } from './transport/options.ts'

type BulkBody = Body<'bulkCampaigns'>
type BulkOperation = BulkBody['operations'][number]

/** The outcome of one operation; `index` is its place in the whole list. */
export type BulkOutcome = Result<'bulkCampaigns'>['results'][number]

const maxOperations = 100

/**
 * Any number of operations, 100 a request, each of which succeeds or fails by itself. Requests follow
 * one another, so an error leaves those before it applied.
 */
export async function* bulkAll(
  { campaigns }: Pick<Flightdeck, 'campaigns'>,
  operations: Iterable<BulkOperation>,
  options: Omit<WriteOptions, 'idempotencyKey' | 'ifMatch'> = {},
): AsyncGenerator<BulkOutcome> {
  let sent = 0
  for (const chunk of chunksOf(operations, maxOperations)) {
    const { results } = await campaigns.bulk({ mode: 'partial', operations: chunk }, options)
    for (const result of results) yield { ...result, index: result.index + sent }
    sent += chunk.length
  }
}

export function* chunksOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
