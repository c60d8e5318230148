import { setTimeout as sleep } from 'node:timers/promises'
import { nowText } from '../kernel/context.ts'
import { type Attempts, attemptsOf, type Since } from './attempts.ts'
import { type Due, type DueDelivery, type Endpoint, type EndpointKey, readDue } from './due.ts'
import type { Kit } from './kit.ts'
import { skipPending } from './record.ts'

/** Sends what is due for one endpoint, and nobody else does so meanwhile. */
export type Lane = {
  /** Something new may be due. */
  wake(): void
  /** Begins nothing more. */
  stop(): void
  /** When nothing is due or under way any more. */
  readonly ended: Promise<void>
}

const mostAtOnce = 10
const readAtOnce = 100
/** With so many left, the next are read. */
const readAhead = 50
/** What was read longer ago may have been disabled since, or signs with another secret. */
const freshMs = 250
/** A lane stays open a little, as its next event often follows soon. */
const lingerMs = 1_000

/** `remind` wakes whoever has the lane after that time. */
export function openLane(kit: Kit, key: EndpointKey, remind: (afterMs: number) => void): Lane {
  const waker = alarm()
  const stopping = new AbortController()
  const attempts = attemptsOf(kit, key, { onRecorded: waker.ring, remind })
  return {
    wake: waker.ring,
    stop: () => {
      stopping.abort()
      waker.ring()
    },
    ended: run({ kit, key, waker, attempts, signal: stopping.signal, ahead: undefined }),
  }
}

type Running = {
  kit: Kit
  key: EndpointKey
  waker: Alarm
  attempts: Attempts
  signal: AbortSignal
  /** A reading that was begun before it was needed. */
  ahead?: Promise<Reading> | undefined
}

/** What the database said at some time, and what has happened here since. */
type Reading = Due & { since: Since; isFresh(): boolean }

async function run(lane: Running): Promise<void> {
  try {
    while (!lane.signal.aborted) {
      // What cannot be begun is not read: one that hangs would be, at every event.
      await untilRoom(lane)
      const begun = await beginDue(lane)
      if (!begun && !(await isWorthWaiting(lane))) break
    }
  } finally {
    await lane.ahead?.then(({ since }) => since.end()).catch(() => {})
    await lane.attempts.allRecorded()
  }
}

/** Begins what is due and not under way; answers whether that was anything. */
async function beginDue(lane: Running): Promise<boolean> {
  const reading = await nextReading(lane)
  try {
    return await beginAll(lane, reading)
  } finally {
    reading.since.end()
  }
}

async function beginAll(lane: Running, { since, isFresh, ...found }: Reading): Promise<boolean> {
  const { kit, key, attempts, signal } = lane
  const { endpoint, due } = found
  if (!endpoint) return false
  attempts.meet(endpoint, since)
  if (endpoint.status !== 'enabled') await skipPending(kit.services.database, key, attempts.now())
  let hasBegun = false
  for (const [at, delivery] of due.entries()) {
    // There is more, and it goes out: it is read while these are sent.
    const left = due.length - at
    if (hasBegun && left === readAhead && due.length >= readAtOnce) lane.ahead = read(lane, left)
    if (since.isTaken(delivery.id)) continue
    await untilRoom(lane)
    if (signal.aborted || (hasBegun && !isFresh())) break
    if (!mayGo(endpoint, delivery, attempts)) continue
    attempts.begin(endpoint, delivery)
    hasBegun = true
  }
  return hasBegun
}

/** One begun ahead may not have seen what the waker has told of since: that stays to be looked for. */
async function nextReading(lane: Running): Promise<Reading> {
  const ahead = await lane.ahead
  lane.ahead = undefined
  if (ahead?.isFresh()) return ahead
  ahead?.since.end()
  lane.waker.reset()
  return read(lane, 0)
}

async function untilRoom({ attempts, signal }: Running): Promise<void> {
  while (attempts.underWay >= roomOf(attempts) && !signal.aborted) await attempts.oneLess()
}

/** What is due, beyond those that are taken care of and those that wait here. */
async function read({ kit, key, attempts }: Running, waiting: number): Promise<Reading> {
  const limit = attempts.busyCount + waiting + readAtOnce
  const since = attempts.since()
  try {
    const now = nowText(kit.services)
    const due = await readDue(kit.services.database.reader, key, { now, limit })
    const at = performance.now()
    return { ...due, since, isFresh: () => performance.now() - at < freshMs }
  } catch (error) {
    since.end()
    throw error
  }
}

/** An endpoint that only fails is tried with one at a time. */
const roomOf = (attempts: Attempts) => (attempts.isFailing ? 1 : mostAtOnce)

/** What people ask for by hand is sent to whomever they name. */
const mayGo = (endpoint: Endpoint, { trigger }: DueDelivery, attempts: Attempts): boolean =>
  trigger === 'test' ||
  trigger === 'manual' ||
  (endpoint.status === 'enabled' && !attempts.isPaused && !attempts.isOver)

/** Until something is new or recorded; false when the lane has been quiet for long enough. */
async function isWorthWaiting({ waker, attempts, signal }: Running): Promise<boolean> {
  if (attempts.busyCount > 0) {
    await Promise.race([waker.rung(), attempts.allRecorded()])
    return true
  }
  const lingered = new AbortController()
  const quiet = sleep(lingerMs, false, { signal: lingered.signal }).catch(() => false)
  const isRung = await Promise.race([waker.rung().then(() => true), quiet])
  lingered.abort()
  return isRung && !signal.aborted
}

type Alarm = { ring(): void; rung(): Promise<void>; reset(): void }

/** Rings until it is reset: whoever waits later is woken at once. */
function alarm(): Alarm {
  let bell = Promise.withResolvers<void>()
  return {
    ring: () => bell.resolve(),
    rung: () => bell.promise,
    reset: () => {
      bell = Promise.withResolvers<void>()
    },
  }
}
