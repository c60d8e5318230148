import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import { shareConnections } from '../database/connections.ts'
import { notify } from '../database/notifications.ts'
import { encode, encodeSignals, everythingText } from './codec.ts'
import { signalBuffer } from './gathering.ts'
import type { Signal } from './signals.ts'

/** Tells the other processes, over a connection of its own that it opens when it needs one. */
export type Publisher = {
  /** Leaves in a moment, with whatever else is told until then. */
  publish(signal: Signal): void
  /** Leaves at once. */
  echo(number: number): Promise<void>
  /** Once the last has left, if that is soon. */
  stop(): Promise<void>
}

const batchMs = 2
/** A notification takes a lock of the whole server when it commits, so there are few of them. */
const minIntervalMs = 100
const stopWithinMs = 1_000

export function openPublisher(address: DatabaseAddress, from: string): Publisher {
  const connections = shareConnections(address, 1)
  const gathering = signalBuffer()
  let leaving: Promise<void> | undefined
  let leftAt = Number.NEGATIVE_INFINITY
  let hasLost = false

  const send = async (texts: readonly string[]) => notify(await connections.next(), texts)

  async function leave(): Promise<void> {
    const signals = gathering.take()
    leftAt = performance.now()
    try {
      await send(hasLost ? [everythingText(from)] : encodeSignals(from, signals))
      hasLost = false
    } catch {
      // Whoever was not told finds it by looking; what is told next makes up for it.
      hasLost = true
    }
  }

  async function leaveLater(): Promise<void> {
    while (!gathering.isEmpty) {
      const waitMs = Math.max(batchMs, leftAt + minIntervalMs - performance.now())
      await sleep(waitMs, undefined, { ref: false })
      await leave()
    }
    leaving = undefined
  }

  async function finish(): Promise<void> {
    await leaving
    if (!gathering.isEmpty) await leave()
    await connections.close()
  }

  return {
    publish(signal) {
      gathering.add(signal)
      leaving ??= leaveLater()
    },
    echo: (number) => send([encode({ from, echo: number })]),
    stop: () => Promise.race([finish(), sleep(stopWithinMs, undefined, { ref: false })]),
  }
}
