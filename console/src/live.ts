import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import type { InfiniteData, Query } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { cache } from './data/cache.ts'
import { objectKey } from './data/keys.ts'
import { flightdeck, watchAnswers } from './flightdeck.ts'
import { allKinds, type Kind } from './kinds.ts'
import { useMay } from './session.tsx'

/**
 * Shows changes from elsewhere. One tab reads the stream of events and passes it on to the others;
 * roles that may not read events read again every half minute.
 */

const eventful = allKinds.filter(({ live }) => live === 'whole' || live === 'part')
const byType = new Map(eventful.map((described) => [described.type, described]))
const withEach = allKinds.filter(({ live }) => live === 'any').map(({ kind }) => kind)

type Stored = { id: string; version?: number; available_actions?: unknown }
type Pages = InfiniteData<{ data: Stored[] }>

const channelName = 'flightdeck events'
const leaderName = 'flightdeck event stream'
const rereadMs = 30_000
/** Lists are read again once, after the last of several events. */
const quietMs = 120

export type Connection = 'live' | 'lost' | 'periodic'

let connection: Connection = 'periodic'
const listeners = new Set<() => void>()
const watchers = new Set<(event: FlightdeckEvent) => void>()

function setConnection(next: Connection): void {
  connection = next
  for (const listener of listeners) listener()
}

export const connectionNow = (): Connection => connection

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )

/** Each event as it happens, for screens that show events themselves. */
export function watchEvents(watcher: (event: FlightdeckEvent) => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Keeps what is on the screen up to date, as long as the component is there. */
export function useLive(): void {
  const mayStream = useMay('streamEvents')
  useEffect(() => (mayStream ? follow() : reread()), [mayStream])
  useEffect(() => watchAnswers(rereadWritten), [])
}

/** Ids of deleted objects: to read them again would only fail. */
const deletedHere = new Set<string>()

/** Reads kinds that were written here again at once, whether events come or not. */
function rereadWritten({ ok, url }: Response, { method }: Request): void {
  const [, kind = ''] = /^\/api\/v1\/([a-z_]+)/.exec(new URL(url).pathname) ?? []
  const isDryRun = /[?&]validate_only=|\/preview$/.test(url)
  if (!ok || method === 'GET' || isDryRun) return
  // Its own screen is about to be left.
  const isDeleted = method === 'DELETE'
  if (isDeleted) deletedHere.add(new URL(url).pathname.split('/').at(-1) ?? '')
  const queryKey = isDeleted ? [kind, 'list'] : [kind]
  void cache.invalidateQueries({ queryKey })
}

function reread(): () => void {
  setConnection('periodic')
  const timer = setInterval(() => {
    if (!document.hidden) void cache.invalidateQueries()
  }, rereadMs)
  return () => clearInterval(timer)
}

type Message = { event: FlightdeckEvent } | { connection: Connection } | { ask: true }

function follow(): () => void {
  const end = new AbortController()
  const channel = new BroadcastChannel(channelName)
  let isLeader = false
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('event' in data) take(data.event)
    else if ('connection' in data) setConnection(data.connection)
    else if (isLeader) channel.postMessage({ connection })
  }
  const announce = (next: Connection) => {
    setConnection(next)
    channel.postMessage({ connection: next })
  }
  const read = async () => {
    isLeader = true
    let isFirst = true
    const stream = flightdeck.events.stream({
      signal: end.signal,
      onOpen: () => {
        announce('live')
        if (isFirst) rereadShown()
        isFirst = false
      },
      onLost: () => announce('lost'),
    })
    for await (const event of stream) {
      take(event)
      channel.postMessage({ event })
    }
  }
  // Plain http to another machine has no locks: each tab reads for itself there.
  const reading = navigator.locks
    ? navigator.locks.request(leaderName, { signal: end.signal }, read)
    : read()
  reading.catch(() => {
    if (!end.signal.aborted) announce('lost')
  })
  channel.postMessage({ ask: true })
  return () => {
    end.abort()
    channel.close()
  }
}

/**
 * Reads the screen again: its objects may have changed after they were read, and before the stream
 * was open.
 */
const rereadShown = () => void cache.invalidateQueries({ predicate: isFollowed })

const followed: ReadonlySet<unknown> = new Set(
  allKinds.filter(({ live }) => live).map(({ kind }) => kind),
)

/** The deck, which sums up much, is read again with the next event. */
const isFollowed = ({ queryKey: [kind, part], state: { data } }: Query) =>
  data !== undefined && followed.has(kind) && part !== 'deck'

const pending = new Set<Kind>()
let timer: ReturnType<typeof setTimeout> | undefined

function take(event: FlightdeckEvent): void {
  for (const watcher of watchers) watcher(event)
  const { type, data } = event as { type: string; data: { object?: Stored } }
  const described = byType.get(type.split('.')[0] ?? '')
  if (!described) return
  const { kind, live } = described
  const object = data.object
  const isDeleted = type.endsWith('.deleted')
  if (object?.id && !isDeleted && live === 'whole') patch(kind, object)
  if (object?.id && isDeleted) remove(kind, object.id)
  pending.add(kind)
  // Campaigns show their deployments, which go stale with their profiles.
  if (kind === 'deployments') pending.add('campaigns')
  if (kind === 'profiles') pending.add('deployments')
  clearTimeout(timer)
  timer = setTimeout(rereadChanged, quietMs)
}

/** Membership and order of lists, and what events leave out, come from the service. */
function rereadChanged(): void {
  for (const kind of pending) {
    void cache.invalidateQueries({
      queryKey: [kind],
      predicate: ({ queryKey: [, , id] }) => !deletedHere.has(`${id}`),
    })
  }
  pending.clear()
  for (const kind of withEach) void cache.invalidateQueries({ queryKey: [kind] })
}

/** At once, wherever the object is shown. Events have no names of people: those known stay. */
function patch(kind: Kind, object: Stored): void {
  const merged = (old: Stored): Stored => {
    if ((old.version ?? 0) > (object.version ?? 0)) return old
    const { available_actions } = old
    // Events have no asker: what this person may do with this version is known better.
    const isKnown = available_actions !== undefined && old.version === object.version
    return { ...old, ...object, ...(isKnown && { available_actions }) }
  }
  cache.setQueryData<Stored>(objectKey(kind, object.id), (old) => old && merged(old))
  cache.setQueriesData<Pages>({ queryKey: [kind, 'list'] }, (old) =>
    mapPages(old, (rows) => rows.map((row) => (row.id === object.id ? merged(row) : row))),
  )
}

const remove = (kind: Kind, id: string): void => {
  cache.setQueriesData<Pages>({ queryKey: [kind, 'list'] }, (old) =>
    mapPages(old, (rows) => rows.filter((row) => row.id !== id)),
  )
}

/** The same object where nothing changes, so that nothing is drawn again. */
const mapPages = (old: Pages | undefined, change: (rows: Stored[]) => Stored[]) =>
  old?.pages && {
    ...old,
    pages: old.pages.map((page) => ({ ...page, data: change(page.data) })),
  }
