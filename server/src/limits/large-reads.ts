import { LruMap } from 'toad-cache'
import { keyedSemaphore } from '../concurrency/semaphore.ts'
import type { Clock } from '../values/clock.ts'

/**
 * Lists that may be large: with more rows than the default, or of an organization that got a large
 * page within the last minute. Each organization runs a few at a time; others queue.
 */
export type LargeReads = {
  /** Whether a list with this many rows must wait for a slot. */
  takesSlot(organizationId: string, rows: number): boolean
  /** Records the size of a page in bytes. */
  note(organizationId: string, bytes: number): void
  /** Runs the work when a slot is free, and holds the slot until `over` resolves. */
  inTurn<T>(organizationId: string, work: () => Promise<T>, over: Promise<void>): Promise<T>
}

const atOnce = 4
/** As many as all requests in flight. */
const maxWaiting = 1_280
const maxRows = 25
const largeBytes = 128 * 1024
const rememberedMs = 60_000
const maxCached = 1_000

export function openLargeReads(clock: Clock): LargeReads {
  const slots = keyedSemaphore(maxWaiting, atOnce)
  const largeUntil = new LruMap<number>(maxCached)
  return {
    takesSlot: (organizationId, rows) =>
      rows > maxRows || (largeUntil.get(organizationId) ?? 0) > clock.now().getTime(),
    note(organizationId, bytes) {
      if (bytes <= largeBytes) return
      largeUntil.set(organizationId, clock.now().getTime() + rememberedMs)
    },
    inTurn<T>(organizationId: string, work: () => Promise<T>, over: Promise<void>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      slots(organizationId, async () => {
        await work().then((result) => resolve(result), reject)
        await over
      }).catch(reject)
      return promise
    },
  }
}
