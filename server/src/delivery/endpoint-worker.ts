import { setTimeout as sleep } from 'node:timers/promises'
import { type Attempts, attemptsOf } from './attempts.ts'
import type { DeliveryDeps } from './deps.ts'
import type { DueDelivery, Endpoint, EndpointKey } from './due.ts'
import { type DueBatch, type DueBatches, dueBatches } from './due-batches.ts'
import { skipPending } from './record.ts'

/** Sends what is due for one endpoint, and nobody else does so meanwhile. */
export type EndpointWorker = {
  /** Something new may be due. */
  wake(): void
  /** Begins nothing more. */
  stop(): void
  /** When nothing is due or under way any more. */
  readonly ended: Promise<void>
}

const maxConcurrent = 10
/** A lane stays open a little, as its next event often follows soon. */
const lingerMs = 1_000

/** `remind` wakes whoever has the lane after that time. */
export function startEndpointWorker(
  kit: DeliveryDeps,
  key: EndpointKey,
  remind: (afterMs: number) => void,
): EndpointWorker {
  const waker = alarm()
  const stopping = new AbortController()
  const attempts = attemptsOf(kit, key, { lookAgain: waker.ring, remind })
  const readings = dueBatches(kit, key, { attempts, onRead: waker.reset })
  return {
    wake: waker.ring,
    stop: () => {
      stopping.abort()
      waker.ring()
    },
    ended: run({ kit, key, waker, attempts, readings, signal: stopping.signal }),
  }
}

type Running = {
  kit: DeliveryDeps
  key: EndpointKey
  waker: Alarm
  attempts: Attempts
  readings: DueBatches
  signal: AbortSignal
}

async function run(lane: Running): Promise<void> {
  try {
    while (!lane.signal.aborted) {
      // What cannot be begun is not read: one that hangs would be, at every event.
      await untilSlotFree(lane)
      const isAll = await beginDue(lane)
      if (isAll && !(await waitForWork(lane))) break
    }
  } finally {
    await lane.readings.end()
    await lane.attempts.allRecorded()
  }
}

/** Begins what is due and not under way; answers whether that was all there was. */
async function beginDue(lane: Running): Promise<boolean> {
  const reading = await lane.readings.next()
  try {
    return await beginRead(lane, reading)
  } finally {
    reading.since.end()
  }
}

async function beginRead(lane: Running, reading: DueBatch): Promise<boolean> {
  const { kit, key, attempts } = lane
  const { endpoint, since } = reading
  if (!endpoint) return true
  attempts.syncEndpoint(endpoint, since)
  if (endpoint.status !== 'enabled') await skipPending(kit.services.database, key, attempts.now())
  // Enabled meanwhile, say: there may be more than was looked for.
  if (reading.isByHand && !attempts.isHeld) return false
  return beginEach(lane, endpoint, reading)
}

async function beginEach(lane: Running, endpoint: Endpoint, reading: DueBatch): Promise<boolean> {
  const { attempts, readings, signal } = lane
  const { due, since } = reading
  let hasBegun = false
  for (const [at, delivery] of due.entries()) {
    if (hasBegun) readings.remaining(due.length - at)
    if (since.passesOver(delivery.id)) continue
    await untilSlotFree(lane)
    if (signal.aborted || (hasBegun && !reading.isFresh())) return false
    if (!mayFinish(endpoint, delivery, attempts)) continue
    attempts.begin(endpoint, delivery)
    hasBegun = true
  }
  return !(reading.isFull && hasBegun)
}

async function untilSlotFree({ attempts, signal }: Running): Promise<void> {
  while (attempts.underWay >= freeSlots(attempts) && !signal.aborted) await attempts.slotFreed()
}

/** No more than lead to a pause: an endpoint that only fails is tried with fewer, then one at a time. */
const freeSlots = ({ failuresInARow }: Attempts) => Math.max(1, maxConcurrent - failuresInARow)

/** What people ask for by hand is sent to whomever they name. */
const mayFinish = (endpoint: Endpoint, { trigger }: DueDelivery, attempts: Attempts): boolean =>
  trigger === 'test' || trigger === 'manual' || (endpoint.status === 'enabled' && !attempts.isHeld)

/** Until there may be something to begin; false when the lane has been quiet for long enough. */
async function waitForWork({ waker, attempts, signal }: Running): Promise<boolean> {
  const rung = waker.rung().then(() => true)
  if (await Promise.race([rung, attempts.allRecorded()])) return !signal.aborted
  const lingered = new AbortController()
  const quiet = sleep(lingerMs, false, { signal: lingered.signal }).catch(() => false)
  const isRung = await Promise.race([rung, quiet])
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
