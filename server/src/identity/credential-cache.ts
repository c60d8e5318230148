import { type CacheEntry, LruMap } from 'toad-cache'
import { intervalBatcher } from '../concurrency/interval-batch.ts'
import type { Signals } from '../signals/signals.ts'

/** What is read from the database for each credential, and remembered while it is known to be so. */
export type CredentialCache<Asked, State> = {
  /** As it was less than a second ago; undefined when there is none. */
  find(asked: Asked): Promise<State | undefined>
  /** What this process knows of the organization may have changed just now. */
  forget(organizationId: string): void
  /** As `forget`, of all organizations. */
  forgetAll(): void
  /** How many states are in memory. */
  size(): number
  /** Before the database closes: from here on nothing is read that nobody asks for. */
  close(): void
}

/** How states are read; `idOf` and `idIn` give the same text for what was asked and what came. */
export type Source<Asked, State> = {
  idOf(asked: Asked): string
  idIn(state: State): string
  one(asked: Asked): Promise<State | undefined>
  /** In one statement; those that are no more are left out. */
  many(asked: readonly Asked[]): Promise<State[]>
}

/** The bound on how long another process can be unaware of a logout or a changed role. */
const freshMs = 900
/** Each change is told with its commit. Nobody tells of what is done to the tables by hand. */
const trustedMs = 30_000
const maxEntries = 50_000

/** What is in use is read again long before it is too old, so that no request waits for it. */
const pace = { everyMs: 400, maxBatch: 200, maxWaiting: maxEntries }
/** So long after the last hearing, a round still comes in time. */
const confirmedMs = freshMs - pace.everyMs

/** When a read was sent, by the clock and by how often something had been forgotten. */
type Timestamp = { readonly ms: number; readonly forgets: number }

type Entry<State> = {
  readonly state: Promise<State | undefined>
  readonly sent: Timestamp
  /** It was used since a round last read it, and the next one will. */
  isInUse: boolean
}

/**
 * Those in use are read again together, in rounds; one that is new, or that a round came too late
 * for, is read by the request that needs it.
 */
export function credentialCache<Asked extends { readonly organizationId: string }, State>(
  source: Source<Asked, State>,
  signals: Pick<Signals, 'watermarkMs'>,
): CredentialCache<Asked, State> {
  const { idOf, idIn } = source
  const memory = openCache<State>(signals)
  const inUse = intervalBatcher(readAgain, pace)

  async function readAgain(asked: readonly Asked[]): Promise<void> {
    const sent = memory.now()
    memory.resetUse(asked.map(idOf))
    for (const state of await source.many(asked)) memory.refresh(idIn(state), state, sent)
  }

  function read(asked: Asked): Promise<State | undefined> {
    const sent = memory.now()
    const state = source.one(asked)
    const entry = { state, sent, isInUse: false }
    const id = idOf(asked)
    memory.add(id, entry)
    state.catch(() => memory.remove(id, entry))
    return state
  }

  return {
    find(asked) {
      const known = memory.find(asked.organizationId, idOf(asked))
      if (!known) return read(asked)
      if (known.isInUse || memory.isConfirmedFresh(known)) return known.state
      inUse.add(asked)
      known.isInUse = true
      return known.state
    },
    forget: memory.forget,
    forgetAll: memory.forgetAll,
    size: memory.size,
    close: inUse.close,
  }
}

/** What was read, by id, and what of it may still be used. */
function openCache<State>(signals: Pick<Signals, 'watermarkMs'>) {
  const entries = new LruMap<Entry<State>>(maxEntries)
  const forgotten = new LruMap<number>(maxEntries)
  let forgets = 0
  let forgottenAll = 0

  /** Until when a change since it was read would have been heard. */
  const confirmedUntilMs = ({ sent }: Entry<State>) =>
    Math.min(signals.watermarkMs, sent.ms + trustedMs)

  const isFresh = (entry: Entry<State>) =>
    performance.now() < Math.max(entry.sent.ms, confirmedUntilMs(entry)) + freshMs

  /** Sessions that ended would otherwise stay in memory until the cache is full. */
  function evictStale(): void {
    while (isStale(entries.first)) entries.evict()
  }

  const isStale = (entry: CacheEntry<Entry<State>> | null) =>
    entry !== null && !isFresh(entry.value)

  return {
    now: (): Timestamp => ({ ms: performance.now(), forgets }),
    /** It stays fresh without being read again. */
    isConfirmedFresh: (entry: Entry<State>) =>
      performance.now() < confirmedUntilMs(entry) + confirmedMs,
    find(organizationId: string, id: string): Entry<State> | undefined {
      const known = entries.get(id)
      if (!known || !isFresh(known)) return undefined
      const last = Math.max(forgottenAll, forgotten.get(organizationId) ?? 0)
      return known.sent.forgets >= last ? known : undefined
    },
    add(id: string, entry: Entry<State>): void {
      entries.set(id, entry)
      evictStale()
    },
    size: () => entries.size,
    /** What is used from here on is used for the next round. */
    resetUse(ids: readonly string[]): void {
      for (const id of ids) {
        const known = entries.get(id)
        if (known) known.isInUse = false
      }
    },
    /** Not over what a request, which could not wait for the round, has read since. */
    refresh(id: string, state: State, sent: Timestamp): void {
      const known = entries.get(id)
      if (!known || known.sent.ms >= sent.ms) return
      entries.set(id, { state: Promise.resolve(state), sent, isInUse: known.isInUse })
    },
    remove(id: string, entry: Entry<State>): void {
      if (entries.get(id) === entry) entries.delete(id)
    },
    forget(organizationId: string): void {
      forgets += 1
      forgotten.set(organizationId, forgets)
    },
    forgetAll(): void {
      forgets += 1
      forgottenAll = forgets
    },
  }
}
