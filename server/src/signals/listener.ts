import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import { type Listening, listenTo } from '../database/notifications.ts'

type ListenerEvents = {
  onMessage(text: string): void
  /** Resolves when this process hears what it says itself; rejects when it does not. */
  proveHearing(): Promise<void>
  /** Proven, at first and again and again. */
  onConnect(): void
  /** All that was told before this moment of `performance.now()` was heard. */
  hearUntil(ms: number): void
  /** Deaf for now; it is being tried again. */
  onDisconnect(reason: Error): void
}

const catchUpEveryMs = 300
/** Ten seconds: nothing but silence tells of a pooler that swallows what it should hand on. */
const catchUpsPerProof = 33
const firstPauseMs = 100
const longestPauseMs = 10_000

/** Listens over a connection of its own, and over another one when that is lost, until it is stopped. */
export function openListener(address: DatabaseAddress, ears: ListenerEvents): { stop(): void } {
  const stopping = new AbortController()
  void listenOn(address, ears, stopping.signal)
  return { stop: () => stopping.abort() }
}

async function listenOn(
  address: DatabaseAddress,
  ears: ListenerEvents,
  stopped: AbortSignal,
): Promise<void> {
  let pauseMs = firstPauseMs
  const hears = () => {
    pauseMs = firstPauseMs
    ears.onConnect()
  }
  while (!stopped.aborted) {
    try {
      await listenOnce(address, { ...ears, onConnect: hears }, stopped)
    } catch (error) {
      if (!stopped.aborted) ears.onDisconnect(error as Error)
    }
    await pause(pauseMs, stopped)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
}

async function listenOnce(
  address: DatabaseAddress,
  ears: ListenerEvents,
  stopped: AbortSignal,
): Promise<void> {
  const listening = await listenTo(address, ears.onMessage)
  const over = AbortSignal.any([stopped, listening.lost])
  try {
    while (!over.aborted) {
      await ears.proveHearing()
      ears.onConnect()
      await keepListening(listening, ears, over)
    }
  } finally {
    listening.close()
  }
  over.throwIfAborted()
}

async function keepListening(
  listening: Listening,
  ears: ListenerEvents,
  over: AbortSignal,
): Promise<void> {
  for (let round = 0; round < catchUpsPerProof && !over.aborted; round += 1) {
    const askedAtMs = performance.now()
    await listening.catchUp()
    ears.hearUntil(askedAtMs)
    await pause(catchUpEveryMs, over)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
