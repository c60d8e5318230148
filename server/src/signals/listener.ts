import { pause } from '../concurrency/wait.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { type Listening, listenTo } from '../database/transactions/notifications.ts'
import { errorMessage } from '../values/errors.ts'

type ListenerEvents = {
  onMessage(text: string): void
  /** Resolves when a notification of this process comes back to it; rejects when it does not. */
  checkEcho(): Promise<void>
  /** Called after each successful check. */
  onConnect(): void
  /** Everything sent before this time, in `performance.now()`, has arrived. */
  advanceWatermark(ms: number): void
  /** Called before each retry. */
  onDisconnect(reason: string): void
}

const catchUpEveryMs = 300
/** An echo every 10 s: a pooler that drops notifications shows by nothing but silence. */
const catchUpsPerEcho = 33
const firstPauseMs = 100
const maxPauseMs = 10_000

/** Listens over its own connection, and reconnects until it is stopped. */
export function openListener(address: DatabaseAddress, events: ListenerEvents): { stop(): void } {
  const stopping = new AbortController()
  void listenUntilStopped(address, events, stopping.signal)
  return { stop: () => stopping.abort() }
}

async function listenUntilStopped(
  address: DatabaseAddress,
  events: ListenerEvents,
  stopped: AbortSignal,
): Promise<void> {
  let pauseMs = firstPauseMs
  const onConnect = () => {
    pauseMs = firstPauseMs
    events.onConnect()
  }
  while (!stopped.aborted) {
    try {
      await listenOnce(address, { ...events, onConnect }, stopped)
    } catch (error) {
      if (!stopped.aborted) events.onDisconnect(errorMessage(error))
    }
    await pause(pauseMs, stopped)
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }
}

async function listenOnce(
  address: DatabaseAddress,
  events: ListenerEvents,
  stopped: AbortSignal,
): Promise<void> {
  const listening = await listenTo(address, events.onMessage)
  const over = AbortSignal.any([stopped, listening.lost])
  try {
    while (!over.aborted) {
      await events.checkEcho()
      events.onConnect()
      await keepListening(listening, events, over)
    }
  } finally {
    listening.close()
  }
  over.throwIfAborted()
}

async function keepListening(
  listening: Listening,
  events: ListenerEvents,
  over: AbortSignal,
): Promise<void> {
  for (let round = 0; round < catchUpsPerEcho && !over.aborted; round += 1) {
    const startedAtMs = performance.now()
    await listening.catchUp()
    events.advanceWatermark(startedAtMs)
    await pause(catchUpEveryMs, over)
  }
}
