import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isIn } from '../../data/events/types.ts'
import { useRows } from '../../data/lists.ts'
import { many, one, type Search } from '../../data/search.ts'
import { useConnection, watchEvents } from '../../live.ts'
import { type Event, eventFilters, eventList } from './queries.ts'

/** Several events that come together are drawn together. */
const drawMs = 100
/** Beyond it, the pages are read again: they have them all. */
const maxArrived = 300

/** Pages of past events, and on top of them newer ones as they happen; held back while paused. */
export function useFeed(search: Search) {
  const query = useInfiniteQuery(eventList(search))
  const past = useRows(query)
  const arrived = useArrived(search, query.refetch, past[0]?.sequence ?? 0)
  const [pausedAt, setPausedAt] = useState<number | null>(null)
  const rows = useMemo(() => {
    const events = new Map([...arrived, ...past].map((event) => [event.id, event]))
    return [...events.values()].filter(({ sequence }) => pausedAt === null || sequence <= pausedAt)
  }, [arrived, past, pausedAt])
  const waiting = arrived.filter(({ sequence }) => pausedAt !== null && sequence > pausedAt)
  const newest = rows[0]?.sequence ?? 0
  return {
    query,
    rows,
    isPaused: pausedAt !== null,
    waiting: waiting.length,
    pause: () => setPausedAt(newest),
    resume: () => setPausedAt(null),
  }
}

/** Events since the pages were read, newest first. */
function useArrived(search: Search, reread: () => unknown, newestRead: number): readonly Event[] {
  const [arrived, setArrived] = useState<readonly Event[]>([])
  const filters = JSON.stringify(eventFilters.map((name) => search[name]))
  const latest = useRef(search)
  latest.current = search
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters begin with nothing.
  useEffect(() => {
    setArrived([])
    let waiting: Event[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      const next = waiting.toReversed()
      waiting = []
      timer = undefined
      setArrived((before) => [...next, ...before])
    }
    const end = watchEvents((event) => {
      if (!isListed(event) || !matches(event, latest.current)) return
      waiting.push(event)
      timer ??= setTimeout(draw, drawMs)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [filters])
  useEffect(() => {
    setArrived((before) => {
      const left = before.filter(({ sequence }) => sequence > newestRead)
      return left.length === before.length ? before : left
    })
  }, [newestRead])
  const connection = useConnection()
  const isFull = arrived.length > maxArrived
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened without a stream is read.
  useEffect(() => {
    if (connection === 'live' || isFull) reread()
  }, [connection, isFull])
  return arrived
}

/** Tests are sent to one endpoint, and are no events of the organization. */
const isListed = (event: FlightdeckEvent): event is FlightdeckEvent & Event =>
  event.sequence !== null

function matches({ type, timestamp }: Event, search: Search): boolean {
  const types = many(search.type)
  const after = one(search.occurred_after)
  const until = one(search.occurred_before)
  return (
    (types.length === 0 || isIn(type, types)) &&
    (after === undefined || timestamp >= after) &&
    (until === undefined || timestamp < until)
  )
}
