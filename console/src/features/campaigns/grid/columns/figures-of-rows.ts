import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import { useCallback, useSyncExternalStore } from 'react'
import { connectionNow, watchEvents } from '../../../../live.ts'

/** What is known of a campaign; `none`: it has no such figures. */
export type Known<Figures> = Figures | 'none' | 'failed'

type Kept<Figures> = {
  put: (id: string, figures: Figures) => void
  outdate: (ids: readonly string[]) => void
}

type Source<Figures> = {
  /** Of at most a hundred campaigns; those without figures are left out. */
  read: (ids: string[]) => Promise<ReadonlyMap<string, Figures>>
  /** What events say of them, beyond that results have changed or time was moved. */
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
 * Figures of the rows that are drawn, by campaign: those that come into sight together are read
 * together, and what happens to them afterwards is put in its place. Answers the hook of a cell,
 * which gives undefined until they are read.
 */
export function figuresOfRows<Figures extends object>(source: Source<Figures>) {
  const known = new Map<string, Known<Figures>>()
  /** Of the rows that are drawn. */
  const watchers = new Map<string, Set<() => void>>()
  /** To be read before anything else can be said of them. */
  const wanted = new Set<string>()
  let isScheduled = false
  let readAt = Number.NEGATIVE_INFINITY
  let stopFollowing: (() => void) | undefined

  function watch(id: string, notify: () => void): () => void {
    if (watchers.size === 0) follow()
    const cells = watchers.get(id) ?? new Set()
    watchers.set(id, cells.add(notify))
    if (!known.has(id)) want([id])
    return () => {
      cells.delete(notify)
      if (cells.size === 0) watchers.delete(id)
      if (watchers.size === 0) rest()
    }
  }

  function set(id: string, figures: Known<Figures>): void {
    known.set(id, figures)
    for (const notify of watchers.get(id) ?? []) notify()
  }

  function want(ids: Iterable<string>): void {
    for (const id of ids) wanted.add(id)
    if (!isScheduled) setTimeout(read, Math.max(0, readAt + restMs - performance.now()))
    isScheduled = true
  }

  function read(): void {
    isScheduled = false
    readAt = performance.now()
    const ids = [...wanted].filter((id) => watchers.has(id))
    wanted.clear()
    for (let at = 0; at < ids.length; at += mostIds) void readSome(ids.slice(at, at + mostIds))
  }

  async function readSome(ids: string[]): Promise<void> {
    const before = ids.map((id) => known.get(id))
    // An event that has come meanwhile may be newer than the answer.
    const unchanged = () => ids.filter((id, at) => known.get(id) === before[at])
    try {
      const found = await source.read(ids)
      for (const id of unchanged()) set(id, found.get(id) ?? 'none')
    } catch {
      for (const id of unchanged()) if (!known.has(id)) set(id, 'failed')
    }
  }

  function follow(): void {
    stopFollowing?.()
    const stop = watchEvents(take)
    const period = setInterval(() => {
      if (!document.hidden) want([...watchers.keys()].filter(isDue))
    }, periodMs)
    stopFollowing = () => {
      stop()
      clearInterval(period)
    }
  }

  function isDue(id: string): boolean {
    const figures = known.get(id)
    if (connectionNow() !== 'live' || figures === 'failed') return true
    return typeof figures === 'object' && (source.isOld?.(figures) ?? false)
  }

  /** Without rows, no one hears of changes: the next ones are read anew. */
  function rest(): void {
    stopFollowing?.()
    stopFollowing = undefined
    known.clear()
  }

  function put(id: string, figures: Figures): void {
    if (watchers.has(id)) set(id, figures)
    else known.delete(id)
  }

  /** Those in sight keep what they show until it is read again. */
  function outdate(ids: readonly string[]): void {
    for (const id of ids) if (!watchers.has(id)) known.delete(id)
    const shown = ids.filter((id) => watchers.has(id))
    if (shown.length > 0) want(shown)
  }

  function take(event: FlightdeckEvent): void {
    const { type, data } = event
    if (type === 'results.reported') {
      const { campaign_count, campaign_ids } = data.object
      // An event names only the first of many.
      outdate(campaign_count > campaign_ids.length ? [...known.keys()] : campaign_ids)
    } else if (type === 'results.restated') {
      outdate(data.object.days.map(({ campaign_id }) => campaign_id))
    } else if (type === 'organization.clock_moved') outdate([...known.keys()])
    source.take?.(event, { put, outdate })
  }

  return function useFigures(id: string): Known<Figures> | undefined {
    const subscribe = useCallback((notify: () => void) => watch(id, notify), [id])
    return useSyncExternalStore(subscribe, () => known.get(id))
  }
}
