import { useCallback, useEffect, useRef, useState } from 'react'
import { flightdeck } from '../../../../flightdeck.ts'
import { useConnection, watchEvents } from '../../../../live.ts'
import type { Field, GridRow } from '../columns/column.ts'
import { learn } from '../known.ts'
import type { GridQuery } from '../views/query.ts'
import { type Burst, deletedBy, type Moves, movesOf, newBurst, take } from './burst.ts'
import type { GridRows } from './rows.ts'

/** Several events are drawn at once. */
const drawMs = 16
/** After the last of several events: what they leave out, and who belongs to the list now. */
const askMs = 150
const periodMs = 30_000
const mostIds = 100
/** A longer list is not read again without being asked for. */
const quietPages = 3

type LiveRowsOptions = {
  grid: GridRows
  query: GridQuery
  fields: readonly Field[]
  /** Ids of the rows in sight. */
  inSight: () => readonly string[]
  lastInSight: () => number
  /** Whether rows may move: no one points at them or works with them. */
  isIdle: () => boolean
}

export type Elsewhere = {
  /** Rows that have come, gone or moved since the list was read. */
  changes: number
  deleted: ReadonlySet<string>
  reload: () => void
}

const none: ReadonlySet<string> = new Set()

/**
 * Keeps the rows up to date one by one, in place. The order of the list changes by itself only
 * while no one works with it; else the number of changes is shown.
 */
export function useElsewhere(options: LiveRowsOptions): Elsewhere {
  const latest = useRef(options)
  latest.current = options
  const [moved, setMoved] = useState(none)
  const [deleted, setDeleted] = useState(none)
  const forget = useCallback(() => {
    setMoved(none)
    setDeleted(none)
  }, [])
  const key = JSON.stringify(options.query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins with nothing.
  useEffect(forget, [key])
  const reload = useCallback(() => {
    const { grid, lastInSight } = latest.current
    void grid.reload(lastInSight()).then(forget, () => {})
  }, [forget])
  const note = useCallback(
    ({ out, back = [], gone = [] }: Moves) => {
      const { grid, isIdle } = latest.current
      if (gone.length > 0) setDeleted((before) => new Set([...before, ...gone]))
      if (out.length > 0 && isIdle() && grid.pages <= quietPages) return reload()
      if (out.length + back.length > 0)
        setMoved((before) => new Set([...before, ...out]).difference(new Set(back)))
    },
    [reload],
  )
  useEvents(latest, note)
  usePeriodicReading(latest, note)
  useReadingOnceLive(latest, reload)
  return { changes: moved.size, deleted, reload }
}

type Note = (moves: Moves) => void
type Latest = { readonly current: LiveRowsOptions }

function useEvents(latest: Latest, note: Note): void {
  useEffect(() => {
    let burst = newBurst()
    let drawing: ReturnType<typeof setTimeout> | undefined
    let asking: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      drawing = undefined
      learn(burst.drawn.values())
      burst.drawn.clear()
    }
    const ask = () => {
      const asked = burst
      burst = { ...newBurst(), drawn: asked.drawn }
      void readChanged(latest.current, asked, note).catch(() => {})
    }
    const stop = watchEvents((event) => {
      const deleted = deletedBy(event)
      if (latest.current.grid.asRead.some(({ id }) => id === deleted))
        note({ out: [deleted], gone: [deleted] })
      if (!take(event, burst, latest.current.query)) return
      drawing ??= setTimeout(draw, drawMs)
      clearTimeout(asking)
      asking = setTimeout(ask, askMs)
    })
    return () => {
      stop()
      clearTimeout(drawing)
      clearTimeout(asking)
    }
  }, [latest, note])
}

/** Reads the changed campaigns under the filters of the list. */
async function readChanged(options: LiveRowsOptions, burst: Burst, note: Note): Promise<void> {
  const { changed, created, paced, isAround } = burst
  const ids = [...new Set([...changed, ...paced, ...(isAround ? options.inSight() : [])])]
  note(movesOf(options, await readByIds(options, ids), { ids, created, paced }))
}

/** The campaigns that the list still has, as they are now. */
async function readByIds(
  { query, fields }: LiveRowsOptions,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GridRow>> {
  const found = new Map<string, GridRow>()
  for (let at = 0; at < ids.length; at += mostIds) {
    const id = ids.slice(at, at + mostIds)
    const asked = { ...query, id, fields: [...fields], limit: mostIds }
    const { data } = await flightdeck.campaigns.list(asked)
    for (const row of data) found.set(row.id, row)
  }
  learn(found.values())
  return found
}

/** Rows may have changed after they were read, and before the stream of events was open. */
function useReadingOnceLive(latest: Latest, reload: () => void): void {
  const isLive = useConnection() === 'live'
  const wasLive = useRef(isLive)
  useEffect(() => {
    const { grid, isIdle } = latest.current
    if (isLive && !wasLive.current && isIdle() && grid.pages <= quietPages) reload()
    wasLive.current ||= isLive
  }, [isLive, latest, reload])
}

/** Reads the rows in sight now and then, for roles that may not read events. */
function usePeriodicReading(latest: Latest, note: Note): void {
  const isPeriodic = useConnection() === 'periodic'
  useEffect(() => {
    if (!isPeriodic) return undefined
    const read = async () => {
      const ids = latest.current.inSight()
      if (document.hidden || ids.length === 0) return
      const found = await readByIds(latest.current, ids)
      note(movesOf(latest.current, found, { ids, created: none, paced: none }))
    }
    const timer = setInterval(() => void read().catch(() => {}), periodMs)
    return () => clearInterval(timer)
  }, [isPeriodic, latest, note])
}
