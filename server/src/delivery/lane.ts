import { setTimeout as sleep } from 'node:timers/promises'
import { type Attempts, attemptsOf } from './attempts.ts'
import { type DueDelivery, type Endpoint, type EndpointKey, readDue } from './due.ts'
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
/** A lane stays open a little, as its next event often follows soon. */
const lingerMs = 1_000

export function openLane(kit: Kit, key: EndpointKey): Lane {
  const waker = alarm()
  const stopping = new AbortController()
  const attempts = attemptsOf(kit, key, () => waker.ring())
  return {
    wake: () => waker.ring(),
    stop: () => {
      stopping.abort()
      waker.ring()
    },
    ended: run({ kit, key, waker, attempts, signal: stopping.signal }),
  }
}

type Running = {
  kit: Kit
  key: EndpointKey
  waker: Alarm
  attempts: Attempts
  signal: AbortSignal
}

async function run(lane: Running): Promise<void> {
  try {
    while (!lane.signal.aborted) {
      const begun = await beginDue(lane)
      if (!begun && !(await isWorthWaiting(lane))) break
    }
  } finally {
    await lane.attempts.allRecorded()
  }
}

/** Begins what is due and not under way; answers whether that was anything. */
async function beginDue({ kit, key, waker, attempts, signal }: Running): Promise<boolean> {
  waker.reset()
  const now = kit.services.clock.now().toISOString()
  const limit = attempts.busyCount + readAtOnce
  attempts.beforeReading()
  const { endpoint, due } = await readDue(kit.services.database.reader, key, { now, limit })
  if (!endpoint) return false
  if (endpoint.status !== 'enabled') await skipPending(kit.services.database, key, now)
  attempts.meet(endpoint)
  let hasBegun = false
  for (const delivery of due) {
    if (attempts.isTaken(delivery.id)) continue
    while (attempts.underWay >= roomOf(attempts) && !signal.aborted) await attempts.oneLess()
    if (signal.aborted) break
    if (!mayGo(endpoint, delivery, attempts)) continue
    attempts.begin(endpoint, delivery)
    hasBegun = true
  }
  return hasBegun
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
