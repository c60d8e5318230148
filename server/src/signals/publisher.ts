import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import { shareConnections } from '../database/transactions/connections.ts'
import { notify } from '../database/transactions/notifications.ts'
import { encode, encodeSignals, everythingText } from './codec.ts'
import { signalBuffer } from './gathering.ts'
import type { Signal } from './signals.ts'

/** Notifies the other processes, over its own connection, opened on demand. */
export type Publisher = {
  /** Sends the signal soon, batched with others. */
  publish(signal: Signal): void
  /** Sends at once. */
  echo(number: number): Promise<void>
  /** Sends what is buffered, for at most a second, and closes. */
  stop(): Promise<void>
}

const batchMs = 2
/** Notifications are kept few, as each takes a server-wide lock at its commit. */
const minIntervalMs = 100
const stopWithinMs = 1_000

/** Not `intervalBatcher()`: waiting signals merge, and the last ones are sent at the end. */
export function openPublisher(address: DatabaseAddress, from: string): Publisher {
  const connections = shareConnections(address, 1)
  const buffer = signalBuffer()
  let flushing: Promise<void> | undefined
  let flushedAt = Number.NEGATIVE_INFINITY
  let hasLost = false

  const send = async (texts: readonly string[]) => notify(await connections.next(), texts)

  async function flush(): Promise<void> {
    const signals = buffer.take()
    flushedAt = performance.now()
    try {
      await send(hasLost ? [everythingText(from)] : encodeSignals(from, signals))
      hasLost = false
    } catch {
      // The others find the changes by polling, or with the next message, which says `everything`.
      hasLost = true
    }
  }

  async function flushLater(): Promise<void> {
    while (!buffer.isEmpty) {
      const waitMs = Math.max(batchMs, flushedAt + minIntervalMs - performance.now())
      await sleep(waitMs, undefined, { ref: false })
      await flush()
    }
    // In the turn that finds nothing left, so that no signal is added to a flush that is over.
    flushing = undefined
  }

  async function finish(): Promise<void> {
    await flushing
    if (!buffer.isEmpty) await flush()
    await connections.close()
  }

  return {
    publish(signal) {
      buffer.add(signal)
      flushing ??= flushLater()
    },
    echo: (number) => send([encode({ from, echo: number })]),
    stop: () => Promise.race([finish(), sleep(stopWithinMs, undefined, { ref: false })]),
  }
}
