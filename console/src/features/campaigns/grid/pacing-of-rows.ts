import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import { useCallback, useSyncExternalStore } from 'react'
import { flightdeck, type Schema } from '../../../flightdeck.ts'
import { connectionNow, watchEvents } from '../../../live.ts'

/**
 * The pacing of the rows that are drawn: those that come into sight together are read together, and
 * what happens to them afterwards is put in its place.
 */
const fields = [
  'campaign_id',
  'status',
  'pacing_index',
  'overspend',
  'spent_minor',
  'target_minor',
  'projected_minor',
  'money_at_risk_minor',
  'currency',
  'currency_exponent',
] as const

export type RowPacing = Pick<Schema<'Pacing'>, (typeof fields)[number]>

/** `none`: what is not under way has no pacing. */
type Known = RowPacing | 'none' | 'failed'

const known = new Map<string, Known>()
/** Of the rows that are drawn. */
const watchers = new Map<string, Set<() => void>>()
/** To be read before anything else can be said of them. */
const wanted = new Set<string>()

/** The API takes as many in one request. */
const mostIds = 100
/** While rows scroll by, those that have gone again are not read. */
const restMs = 150
const periodMs = 30_000

/** Undefined until it is read. */
export function usePacing(id: string): Known | undefined {
  const subscribe = useCallback((notify: () => void) => watch(id, notify), [id])
  return useSyncExternalStore(subscribe, () => known.get(id))
}

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

function set(id: string, pacing: Known): void {
  known.set(id, pacing)
  for (const notify of watchers.get(id) ?? []) notify()
}

let isScheduled = false
let readAt = Number.NEGATIVE_INFINITY

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

async function readSome(id: string[]): Promise<void> {
  const before = id.map((each) => known.get(each))
  // An event that has come meanwhile may be newer than the answer.
  const unchanged = () => id.filter((each, at) => known.get(each) === before[at])
  try {
    const { data } = await flightdeck.pacing.list({ id, fields: [...fields], limit: mostIds })
    const found = new Map(data.map((pacing) => [pacing.campaign_id, pacing]))
    for (const each of unchanged()) set(each, found.get(each) ?? 'none')
  } catch {
    for (const each of unchanged()) if (!known.has(each)) set(each, 'failed')
  }
}

let stopFollowing: (() => void) | undefined

function follow(): void {
  stopFollowing?.()
  const stop = watchEvents(take)
  const period = setInterval(() => {
    const isLive = connectionNow() === 'live'
    const failed = [...watchers.keys()].filter((id) => known.get(id) === 'failed')
    if (!document.hidden) want(isLive ? failed : watchers.keys())
  }, periodMs)
  stopFollowing = () => {
    stop()
    clearInterval(period)
  }
}

/** Without rows, no one hears of changes: the next ones are read anew. */
function rest(): void {
  stopFollowing?.()
  stopFollowing = undefined
  known.clear()
}

function take(event: FlightdeckEvent): void {
  const { type, data } = event
  if (type === 'pacing.changed' || type === 'pacing.stale') {
    if (watchers.has(data.object.campaign_id)) set(data.object.campaign_id, data.object)
    else known.delete(data.object.campaign_id)
  } else if (type === 'results.reported') {
    const { campaign_count, campaign_ids } = data.object
    // An event names only the first of many.
    outdate(campaign_count > campaign_ids.length ? [...known.keys()] : campaign_ids)
  } else if (type === 'results.restated') {
    outdate(data.object.days.map(({ campaign_id }) => campaign_id))
  } else if (type === 'organization.clock_moved') outdate([...known.keys()])
  else if (type.startsWith('campaign.') && 'id' in data.object) outdate([`${data.object.id}`])
}

/** Those in sight keep what they show until it is read again. */
function outdate(ids: readonly string[]): void {
  for (const id of ids) if (!watchers.has(id)) known.delete(id)
  const shown = ids.filter((id) => watchers.has(id))
  if (shown.length > 0) want(shown)
}
