import { nowText } from '../kernel/context.ts'
import type { Attempts, Since } from './attempts.ts'
import type { DeliveryDeps } from './deps.ts'
import { type Due, type EndpointKey, readDue } from './due.ts'

/** What the database said at some time, and what has happened here since. */
export type DueBatch = Due & {
  since: Since
  /** Only what people asked for was looked for. */
  isByHand: boolean
  isFull: boolean
  isFresh(): boolean
}

/** Reads, one after the other, what is due for one endpoint. */
export type DueBatches = {
  next(): Promise<DueBatch>
  /** Of the last one, so many are left: with few enough, the next is begun before it is needed. */
  remaining(count: number): void
  /** When none is under way any more. */
  end(): Promise<void>
}

const minBatch = 10
const maxBatch = 100
const readAhead = 50
/** What was read longer ago may have been disabled since, or signs with another secret. */
const freshMs = 250

type Circumstances = { attempts: Attempts; onRead(): void }

export function dueBatches(
  kit: DeliveryDeps,
  key: EndpointKey,
  { attempts, onRead }: Circumstances,
): DueBatches {
  /** How many are read, beyond those under way. */
  let size = minBatch
  let last: DueBatch | undefined
  let ahead: Promise<DueBatch> | undefined

  /** What is due, beyond those that are taken care of and those that wait here. */
  async function read(waiting: number): Promise<DueBatch> {
    const limit = attempts.busyCount + waiting + size
    const isByHand = attempts.isHeld
    const since = attempts.since()
    try {
      const now = nowText(kit.services)
      const found = await kit.databaseSlots.reading(() =>
        readDue(kit.services.database.reader, key, { now, limit, isByHand }),
      )
      const at = performance.now()
      const isFull = found.due.length >= limit
      return { ...found, since, isByHand, isFull, isFresh: () => performance.now() - at < freshMs }
    } catch (error) {
      since.end()
      throw error
    }
  }

  /** One begun ahead may not have seen what the waker has told of since: that stays to be looked for. */
  async function readOrTake(): Promise<DueBatch> {
    const early = await ahead
    ahead = undefined
    if (early?.isFresh()) return early
    early?.since.end()
    // Whoever gets on reads more at a time; whoever is slow would read it in vain.
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
