import { nowText } from '../../kernel/context.ts'
import type { DeliveryDeps } from '../deps.ts'
import { type Due, type EndpointKey, readDue } from '../due.ts'
import type { Attempts } from './attempts.ts'
import type { Since } from './handled.ts'

/** A read of due deliveries, and what this process has recorded since. */
export type DueBatch = Due & {
  since: Since
  /** Only deliveries requested by hand were read. */
  isByHand: boolean
  isFull: boolean
  isFresh(): boolean
}

/** Reads what is due for one endpoint, batch by batch. */
export type DueBatches = {
  next(): Promise<DueBatch>
  /** How many of the last batch are left: with few, the next is read ahead. */
  remaining(count: number): void
  /** Waits for a read in progress. */
  end(): Promise<void>
}

const minBatch = 10
const maxBatch = 100
const readAhead = 50
/** After this the endpoint may have been disabled, or its secret rotated. */
const freshMs = 250

type Circumstances = { attempts: Attempts; onRead(): void }

export function dueBatches(
  deps: DeliveryDeps,
  key: EndpointKey,
  { attempts, onRead }: Circumstances,
): DueBatches {
  /** How many to read beyond those in flight. */
  let size = minBatch
  let last: DueBatch | undefined
  let ahead: Promise<DueBatch> | undefined

  /** Reads what is due, beyond those in flight and the `waiting` ones of the last batch. */
  async function read(waiting: number): Promise<DueBatch> {
    const limit = attempts.busyCount + waiting + size
    const isByHand = attempts.isHeld
    const since = attempts.since()
    try {
      const now = nowText(deps.services)
      const found = await deps.databaseSlots.reading(() =>
        readDue(deps.services.database.reader, key, { now, limit, isByHand }),
      )
      const at = performance.now()
      const isFull = found.due.length >= limit
      return { ...found, since, isByHand, isFull, isFresh: () => performance.now() - at < freshMs }
    } catch (error) {
      since.end()
      throw error
    }
  }

  /** Takes a read-ahead without `onRead`: it may not include what the worker was woken for since. */
  async function readOrTake(): Promise<DueBatch> {
    const early = await ahead
    ahead = undefined
    if (early?.isFresh()) return early
    early?.since.end()
    // Double the batch while keeping up; reset when slow.
    size = last?.isFull && last.isFresh() ? Math.min(2 * size, maxBatch) : minBatch
    onRead()
    return read(0)
  }

  return {
    next: async () => {
      last = await readOrTake()
      return last
    },
    remaining: (count) => {
      if (count === readAhead && last?.isFull && size === maxBatch) ahead = read(count)
    },
    end: async () => {
      await ahead?.then(({ since }) => since.end()).catch(() => {})
    },
  }
}
