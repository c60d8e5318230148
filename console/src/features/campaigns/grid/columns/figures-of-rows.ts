import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import { useCallback, useSyncExternalStore } from 'react'
import { connectionNow, watchEvents } from '../../../../live.ts'

/** The figures of a campaign; `none`: it has no such figures. */
export type Known<Figures> = Figures | 'none' | 'failed'

type Kept<Figures> = {
  put: (id: string, figures: Figures) => void
  outdate: (ids: readonly string[]) => void
}

type Source<Figures> = {
  /** Reads figures of at most a hundred campaigns; those without figures are left out. */
  read: (ids: string[]) => Promise<ReadonlyMap<string, Figures>>
  /** Takes figures from an event, other than that results have changed or time was moved. */
  take?: (event: FlightdeckEvent, kept: Kept<Figures>) => void
  /** Whether they are to be read again by now, though nothing has happened. */
  isOld?: (figures: Figures) => boolean
}

/** The API takes as many in one request. */
const mostIds = 100
/** While rows scroll by, those that have gone again are not read. */
const restMs = 150
const periodMs = 30_000

/**
 * The hook of a cell: the figures of its campaign, undefined until they are read. Those of rows
 * that come into sight together are read together, and what happens to them afterwards is put in
 * its place.
 */
export function figuresOfRows<Figures extends object>(source: Source<Figures>) {
  const store = new FigureStore(source)
  return function useFigures(id: string): Known<Figures> | undefined {
    const subscribe = useCallback((notify: () => void) => store.watch(id, notify), [id])
    return useSyncExternalStore(subscribe, () => store.of(id))
  }
}

/** Figures by campaign, as long as a row is drawn that shows them. */
class FigureStore<Figures extends object> {
  readonly #source: Source<Figures>
  readonly #known = new Map<string, Known<Figures>>()
  /** By the campaigns of the rows that are drawn. */
  readonly #watchers = new Map<string, Set<() => void>>()
  /** To be read before anything else can be said of them. */
  readonly #wanted = new Set<string>()
  #isScheduled = false
  #readAt = Number.NEGATIVE_INFINITY
  #stopFollowing: (() => void) | undefined

  constructor(source: Source<Figures>) {
    this.#source = source
  }

  of(id: string): Known<Figures> | undefined {
    return this.#known.get(id)
  }

  watch(id: string, notify: () => void): () => void {
    if (this.#watchers.size === 0) this.#follow()
    const cells = this.#watchers.get(id) ?? new Set()
    this.#watchers.set(id, cells.add(notify))
    if (!this.#known.has(id)) this.#want([id])
    return () => {
      cells.delete(notify)
      if (cells.size === 0) this.#watchers.delete(id)
      if (this.#watchers.size === 0) this.#rest()
    }
  }

  #set(id: string, figures: Known<Figures>): void {
    this.#known.set(id, figures)
    for (const notify of this.#watchers.get(id) ?? []) notify()
  }

  #want(ids: Iterable<string>): void {
    for (const id of ids) this.#wanted.add(id)
    const waitMs = Math.max(0, this.#readAt + restMs - performance.now())
    if (!this.#isScheduled) setTimeout(() => this.#read(), waitMs)
    this.#isScheduled = true
  }

  #read(): void {
    this.#isScheduled = false
    this.#readAt = performance.now()
    const ids = [...this.#wanted].filter((id) => this.#watchers.has(id))
    this.#wanted.clear()
    for (let at = 0; at < ids.length; at += mostIds)
      void this.#readSome(ids.slice(at, at + mostIds))
  }

  async #readSome(ids: string[]): Promise<void> {
    const before = ids.map((id) => this.#known.get(id))
    // An event that has come in between may be newer than the answer.
    const unchanged = () => ids.filter((id, at) => this.#known.get(id) === before[at])
    try {
      const found = await this.#source.read(ids)
      for (const id of unchanged()) this.#set(id, found.get(id) ?? 'none')
    } catch {
      for (const id of unchanged()) if (!this.#known.has(id)) this.#set(id, 'failed')
    }
  }

  #follow(): void {
    this.#stopFollowing?.()
    const stop = watchEvents((event) => this.#take(event))
    const period = setInterval(() => {
      if (!document.hidden) this.#want([...this.#watchers.keys()].filter((id) => this.#isDue(id)))
    }, periodMs)
    this.#stopFollowing = () => {
      stop()
      clearInterval(period)
    }
  }

  #isDue(id: string): boolean {
    const figures = this.#known.get(id)
    if (connectionNow() !== 'live' || figures === 'failed') return true
    return typeof figures === 'object' && (this.#source.isOld?.(figures) ?? false)
  }

  /** Without rows, no one hears of changes: the next ones read for themselves. */
  #rest(): void {
    this.#stopFollowing?.()
    this.#stopFollowing = undefined
    this.#known.clear()
  }

  #put(id: string, figures: Figures): void {
    if (this.#watchers.has(id)) this.#set(id, figures)
    else this.#known.delete(id)
  }

  /** Rows in sight keep what they show until it is read again. */
  #outdate(ids: readonly string[]): void {
    for (const id of ids) if (!this.#watchers.has(id)) this.#known.delete(id)
    const shown = ids.filter((id) => this.#watchers.has(id))
    if (shown.length > 0) this.#want(shown)
  }

  #take(event: FlightdeckEvent): void {
    const { type, data } = event
    if (type === 'results.reported') {
      const { campaign_count, campaign_ids } = data.object
      // An event names only the first of many.
      this.#outdate(campaign_count > campaign_ids.length ? [...this.#known.keys()] : campaign_ids)
    } else if (type === 'results.restated') {
      this.#outdate(data.object.days.map(({ campaign_id }) => campaign_id))
    } else if (type === 'organization.clock_moved') this.#outdate([...this.#known.keys()])
    this.#source.take?.(event, {
      put: (id, figures) => this.#put(id, figures),
      outdate: (ids) => this.#outdate(ids),
    })
  }
}
