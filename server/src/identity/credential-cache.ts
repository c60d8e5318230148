import { type CacheEntry, LruMap } from 'toad-cache'
import { intervalBatcher } from '../concurrency/interval-batch.ts'
import type { Signals } from '../signals/signals.ts'

/** Caches the stored state of each credential while it is known to be current. */
export type CredentialCache<Asked, State> = {
  /** The state as of less than a second ago; undefined if there is none. */
  find(key: Asked): Promise<State | undefined>
  /** Invalidates the cached states of the organization. */
  forget(organizationId: string): void
  /** Invalidates all cached states. */
  forgetAll(): void
  /** Number of cached states. */
  size(): number
  /** Stops background refreshes, before the database closes. */
  close(): void
}

/** How states are read; `idOf` and `idIn` give the same id for a key and its state. */
export type Source<Asked, State> = {
  idOf(key: Asked): string
  idIn(state: State): string
  one(key: Asked): Promise<State | undefined>
  /** In one statement; missing ones are omitted. */
  many(key: readonly Asked[]): Promise<State[]>
}

/** The longest time in which another process may not notice a logout or role change. */
const freshMs = 900
/** Commits announce their changes; manual edits of the tables do not, so entries still expire. */
const trustedMs = 30_000
const maxEntries = 50_000

/** Entries in use are refreshed well before they expire, so that no request waits for it. */
const pace = { everyMs: 400, maxBatch: 200, maxWaiting: maxEntries }
/** With this much time since the last signal, the next round still comes in time. */
const confirmedMs = freshMs - pace.everyMs

/** When a read was sent: by the clock, and by the number of invalidations so far. */
type Timestamp = { readonly ms: number; readonly forgets: number }

type Entry<State> = {
  readonly state: Promise<State | undefined>
  readonly sent: Timestamp
  /** Used since the last round, so the next round refreshes it. */
  isInUse: boolean
}

/**
 * Refreshes entries in use together, in rounds. A new entry, or one that a round missed, is read by
 * the request that needs it.
 */
export function credentialCache<Asked extends { readonly organizationId: string }, State>(
  source: Source<Asked, State>,
  signals: Pick<Signals, 'watermarkMs'>,
): CredentialCache<Asked, State> {
  const { idOf, idIn } = source
  const memory = openCache<State>(signals)
  const inUse = intervalBatcher(readAgain, pace)

  async function readAgain(key: readonly Asked[]): Promise<void> {
    const sent = memory.now()
    memory.resetUse(key.map(idOf))
    for (const state of await source.many(key)) memory.refresh(idIn(state), state, sent)
  }

  function read(key: Asked): Promise<State | undefined> {
    const sent = memory.now()
    const state = source.one(key)
    const entry = { state, sent, isInUse: false }
    const id = idOf(key)
    memory.add(id, entry)
    state.catch(() => memory.remove(id, entry))
    return state
  }

  return {
    find(key) {
      const known = memory.find(key.organizationId, idOf(key))
      if (!known) return read(key)
      if (known.isInUse || memory.isConfirmedFresh(known)) return known.state
      inUse.add(key)
      known.isInUse = true
      return known.state
    },
    forget: memory.forget,
    forgetAll: memory.forgetAll,
    size: memory.size,
    close: inUse.close,
  }
}

/** The cached states by id, and whether each may still be used. */
function openCache<State>(signals: Pick<Signals, 'watermarkMs'>) {
  const entries = new LruMap<Entry<State>>(maxEntries)
  const invalidations = openInvalidations()

  const isFresh = ({ sent }: Entry<State>) =>
    performance.now() < Math.max(sent.ms, confirmedUntilMs(sent, signals)) + freshMs

  const isStale = (entry: CacheEntry<Entry<State>> | null) =>
    entry !== null && !isFresh(entry.value)

  /** Otherwise ended sessions would stay in memory until the cache is full. */
  function evictStale(): void {
    while (isStale(entries.first)) entries.evict()
  }

  return {
    now: (): Timestamp => ({ ms: performance.now(), forgets: invalidations.count() }),
    /** Fresh without being read again. */
    isConfirmedFresh: ({ sent }: Entry<State>) =>
      performance.now() < confirmedUntilMs(sent, signals) + confirmedMs,
    find(organizationId: string, id: string): Entry<State> | undefined {
      const known = entries.get(id)
      if (!known || !isFresh(known)) return undefined
      return known.sent.forgets >= invalidations.lastOf(organizationId) ? known : undefined
    },
    add(id: string, entry: Entry<State>): void {
      entries.set(id, entry)
      evictStale()
    },
    size: () => entries.size,
    /** Use is counted from zero for the next round. */
    resetUse(ids: readonly string[]): void {
      for (const id of ids) {
        const known = entries.get(id)
        if (known) known.isInUse = false
      }
    },
    /** Does not overwrite a newer read made by a request in the meantime. */
    refresh(id: string, state: State, sent: Timestamp): void {
      const known = entries.get(id)
      if (!known || known.sent.ms >= sent.ms) return
      entries.set(id, { state: Promise.resolve(state), sent, isInUse: known.isInUse })
    },
    remove(id: string, entry: Entry<State>): void {
      if (entries.get(id) === entry) entries.delete(id)
    },
    forget: invalidations.forget,
    forgetAll: invalidations.forgetAll,
  }
}

/** The time until which a change since the read would have been signalled. */
const confirmedUntilMs = (sent: Timestamp, { watermarkMs }: Pick<Signals, 'watermarkMs'>) =>
  Math.min(watermarkMs, sent.ms + trustedMs)

/** Numbers the invalidations, so that one during a read outdates what it returns. */
function openInvalidations() {
  const forgotten = new LruMap<number>(maxEntries)
  let count = 0
  let forgottenAll = 0
  return {
    count: () => count,
    /** The number of the last one that concerns the organization. */
    lastOf: (organizationId: string) => Math.max(forgottenAll, forgotten.get(organizationId) ?? 0),
    forget(organizationId: string): void {
      count += 1
      forgotten.set(organizationId, count)
    },
    forgetAll(): void {
      count += 1
      forgottenAll = count
    },
  }
}
