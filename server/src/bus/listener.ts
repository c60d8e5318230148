import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '../database/address.ts'
import { listenTo } from '../database/notifications.ts'

type Ears = {
  heard(text: string): void
  /** Resolves when this process hears what it says itself; rejects when it does not. */
  proveHearing(): Promise<void>
  /** Proven, at first and again and again. */
  hears(): void
  /** Deaf for now; it is being tried again. */
  isDeaf(reason: Error): void
}

const proveEveryMs = 10_000
const firstPauseMs = 100
const longestPauseMs = 10_000

/** Listens over a connection of its own, and over another one when that is lost, until it is stopped. */
export function openListener(address: DatabaseAddress, ears: Ears): { stop(): void } {
  const stopping = new AbortController()
  void listenOn(address, ears, stopping.signal)
  return { stop: () => stopping.abort() }
}

async function listenOn(address: DatabaseAddress, ears: Ears, signal: AbortSignal): Promise<void> {
  let pauseMs = firstPauseMs
  const stopped = once(signal, 'abort')
  const hears = () => {
    pauseMs = firstPauseMs
    ears.hears()
  }
  while (!signal.aborted) {
    try {
      await listenOnce(address, { ...ears, hears }, stopped)
    } catch (error) {
      if (!signal.aborted) ears.isDeaf(error as Error)
    }
    await pause(pauseMs, signal)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
}

async function listenOnce(
  address: DatabaseAddress,
  { heard, proveHearing, hears }: Ears,
  stopped: Promise<unknown>,
): Promise<void> {
  const listening = await listenTo(address, heard)
  const over = new AbortController()
  const end = Promise.race([listening.lost, stopped.then(() => 'stopped' as const)])
  try {
    while ((await Promise.race([proveHearing(), end])) !== 'stopped') {
      hears()
      await Promise.race([pause(proveEveryMs, over.signal), end])
    }
  } finally {
    over.abort()
    listening.close()
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
