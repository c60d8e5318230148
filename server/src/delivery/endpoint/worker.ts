import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from '../../jobs/leases.ts'
import type { DeliveryDeps } from '../deps.ts'
import type { DueDelivery, Endpoint, EndpointKey } from '../due.ts'
import { skipPending } from '../record.ts'
import { type Attempts, attemptsOf } from './attempts.ts'
import { type DueBatch, type DueBatches, dueBatches } from './due-batches.ts'

/** Sends what is due for one endpoint, as its only worker. */
export type EndpointWorker = {
  /** Says that something new may be due. */
  wake(): void
  /** Starts no further attempts. */
  stop(): void
  /** Whether it was woken since its last read: when it has ended, something may be due. */
  isWoken(): boolean
  /** Resolves when nothing is due or in flight. */
  readonly ended: Promise<void>
}

const maxConcurrent = 10
/** A worker waits before it ends, as the next event often follows soon. */
const lingerMs = 1_000

type Duty = {
  /** The right to be the only worker, which stops when it is lost. */
  lease: Pick<Lease, 'isHeld' | 'lost'>
  /** Schedules a wake-up of the endpoint's current worker. */
  remind(afterMs: number): void
}

export function startEndpointWorker(
  deps: DeliveryDeps,
  key: EndpointKey,
  { lease, remind }: Duty,
): EndpointWorker {
  const waker = alarm()
  const stopping = new AbortController()
  const stopped = stopping.signal
  const attempts = attemptsOf(deps, key, { lookAgain: waker.ring, remind, stopped })
  const batches = dueBatches(deps, key, { attempts, onRead: waker.reset })
  const mayGoOn = () => !stopped.aborted && lease.isHeld()
  const stop = () => {
    stopping.abort()
    waker.ring()
  }
  lease.lost.addEventListener('abort', stop)
  return {
    wake: waker.ring,
    stop,
    isWoken: waker.isRung,
    ended: run({ deps, key, waker, attempts, batches, mayGoOn }),
  }
}

type WorkerParts = {
  deps: DeliveryDeps
  key: EndpointKey
  waker: Alarm
  attempts: Attempts
  batches: DueBatches
  mayGoOn(): boolean
}

async function run(worker: WorkerParts): Promise<void> {
  try {
    while (worker.mayGoOn()) {
      // Before reading: otherwise a hanging endpoint would be read at every event, in vain.
      await untilMaySend(worker)
      const isAll = await beginDue(worker)
      if (isAll && !(await waitForWork(worker))) break
    }
  } finally {
    await worker.batches.end()
    await worker.attempts.allRecorded()
  }
}

/** Starts what is due and not in flight; returns whether that was all. */
async function beginDue(worker: WorkerParts): Promise<boolean> {
  const batch = await worker.batches.next()
  try {
    return await beginBatch(worker, batch)
  } finally {
    batch.since.end()
  }
}

async function beginBatch(worker: WorkerParts, batch: DueBatch): Promise<boolean> {
  const { deps, key, attempts } = worker
  const { endpoint, since } = batch
  if (!endpoint) return true
  attempts.syncEndpoint(endpoint, since)
  if (endpoint.status !== 'enabled') await skipPending(deps.services.database, key, attempts.now())
  // No longer held, so there may be more than what was requested by hand.
  if (batch.isByHand && !attempts.isHeld) return false
  return beginEach(worker, endpoint, batch)
}

async function beginEach(
  worker: WorkerParts,
  endpoint: Endpoint,
  batch: DueBatch,
): Promise<boolean> {
  const { attempts, batches, mayGoOn } = worker
  const { due, since } = batch
  let hasBegun = false
  for (const [at, delivery] of due.entries()) {
    if (hasBegun) batches.remaining(due.length - at)
    if (since.alreadyHandled(delivery.id)) continue
    const hadToStop = await untilMaySend(worker)
    if (!mayGoOn() || hadToStop || (hasBegun && !batch.isFresh())) return false
    if (!maySend(endpoint, delivery, attempts)) continue
    attempts.begin(endpoint, delivery)
    hasBegun = true
    if (isOnTrial(endpoint, attempts)) {
      await attempts.allRecorded()
      return false
    }
  }
  return !(batch.isFull && hasBegun)
}

/** Waits for a slot, and until outcomes can be stored; returns whether they could not. */
async function untilMaySend({ attempts, mayGoOn }: WorkerParts): Promise<boolean> {
  const { storing } = attempts
  let hadToStop = false
  while (mayGoOn()) {
    if (storing.isBlocked) {
      hadToStop = true
      await storing.unblocked()
    } else if (attempts.inFlight >= slotsOf(attempts)) await attempts.slotFreed()
    else break
  }
  return hadToStop
}

/** Nothing was stored since its last pause, which may have been because nothing could be. */
const isOnTrial = ({ paused_until }: Endpoint, { isHeld }: Attempts): boolean =>
  paused_until !== null && !isHeld

/** No more at once than it takes to pause: a failing endpoint gets fewer, down to one at a time. */
const slotsOf = ({ failuresInARow }: Attempts) => Math.max(1, maxConcurrent - failuresInARow)

/** Deliveries requested by hand go out even to a disabled or held endpoint. */
const maySend = (endpoint: Endpoint, { trigger }: DueDelivery, attempts: Attempts): boolean =>
  trigger === 'test' || trigger === 'manual' || (endpoint.status === 'enabled' && !attempts.isHeld)

/** Waits until something may be due; false after a quiet second with everything recorded. */
async function waitForWork({ waker, attempts, mayGoOn }: WorkerParts): Promise<boolean> {
  const rung = waker.rung().then(() => true)
  if (await Promise.race([rung, attempts.allRecorded()])) return mayGoOn()
  const lingered = new AbortController()
  const quiet = sleep(lingerMs, false, { signal: lingered.signal }).catch(() => false)
  const isRung = await Promise.race([rung, quiet])
  lingered.abort()
  return isRung && mayGoOn()
}

type Alarm = { ring(): void; isRung(): boolean; rung(): Promise<void>; reset(): void }

/** Stays rung until reset, so that a later wait ends at once. */
function alarm(): Alarm {
  let bell = Promise.withResolvers<void>()
  let isRung = false
  return {
    ring: () => {
      isRung = true
      bell.resolve()
    },
    isRung: () => isRung,
    rung: () => bell.promise,
    reset: () => {
      isRung = false
      bell = Promise.withResolvers<void>()
    },
  }
}
