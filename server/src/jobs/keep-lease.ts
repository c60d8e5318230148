import { pause, untilAborted } from '../concurrency/wait.ts'
import type { Leases } from './leases.ts'

const retryMs = 1_000

/**
 * Holds a lease in a name of this process alone, as a sign of life. `onAcquired` is called each time
 * that it has been acquired, and again if it failed.
 */
export function keepLease(
  leases: Leases,
  name: string,
  onAcquired: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const ended = keep(leases, name, { onAcquired, signal: stopping.signal })
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

type Keeping = { onAcquired(signal: AbortSignal): Promise<void>; signal: AbortSignal }

async function keep(leases: Leases, name: string, { onAcquired, signal }: Keeping): Promise<void> {
  while (!signal.aborted) {
    const lease = await leases.acquire(name)
    if (lease) {
      const ended = AbortSignal.any([signal, lease.lost])
      while (!ended.aborted && !(await succeeds(onAcquired(ended)))) await pause(retryMs, ended)
      await untilAborted(ended)
      await lease.release()
    } else await pause(retryMs, signal)
  }
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
