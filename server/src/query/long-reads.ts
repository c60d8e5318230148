import type { Context, Services } from '../kernel/context.ts'
import { retryLater } from '../problems/problem.ts'
import type { Page, Query } from './list.ts'

/** A running verification or export, which reads everything that there is. */
export type LongRead = {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
  /** Frees its slot. */
  end(): void
}

const maxPerProcess = 2
const underWay = new WeakMap<Services, Set<string>>()

/** Throws 503 if the organization or the process is at its limit. */
export function beginLongRead(
  { services, organization }: Context,
  kind: 'verification' | 'export',
): LongRead {
  const names = underWay.get(services) ?? new Set<string>()
  underWay.set(services, names)
  const name = `${kind} ${organization.id}`
  if (names.size >= maxPerProcess || names.has(name)) throw retryLater('overloaded')
  names.add(name)
  const stop = new AbortController()
  const end = () => {
    // The slot may belong to the next one by now.
    if (stop.signal.aborted) return
    names.delete(name)
    stop.abort()
  }
  return { signal: stop.signal, end }
}

/** Walks a list in its order: with the newest first, what is new comes before its first page. */
export async function* pagesOf<Item>(
  list: (page: Query) => Promise<Page<Item>>,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const { data, meta } = await list({ cursor, limit: '100' })
    // A file does not say that its rows are only similar to what it was asked for.
    if (meta.search) return
    yield data
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
}
