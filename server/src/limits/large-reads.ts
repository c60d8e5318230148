import { LruMap } from 'toad-cache'
import { keyedSemaphore } from '../concurrency/semaphore.ts'
import type { Clock } from '../values/clock.ts'

/**
 * Lists that may be large: more rows asked for than the default, or any list of an organization that
 * got a large page within the last minute. An organization has a few under way, others wait.
 */
export type LargeReads = {
  /** Whether a list that asks for so many rows has to wait for its turn. */
  takesSlot(organizationId: string, rows: number): boolean
  /** A page of the organization had so many bytes. */
  note(organizationId: string, bytes: number): void
  /** Runs the work in its turn, and keeps the slot until its answer is `over`. */
  inTurn<T>(organizationId: string, work: () => Promise<T>, over: Promise<void>): Promise<T>
}

const atOnce = 4
/** As many as may be under way of all requests. */
const mostWaiting = 1_280
const mostRows = 25
const largeBytes = 128 * 1024
const rememberedMs = 60_000
const mostRemembered = 1_000

export function openLargeReads(clock: Clock): LargeReads {
  const slots = keyedSemaphore(mostWaiting, atOnce)
  const largeUntil = new LruMap<number>(mostRemembered)
  return {
    takesSlot: (organizationId, rows) =>
      rows > mostRows || (largeUntil.get(organizationId) ?? 0) > clock.now().getTime(),
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
