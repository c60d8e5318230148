import { useSyncExternalStore } from 'react'

/** The clock of a sandbox may have been moved ahead of real time. */
let aheadMs = 0

/** The time of the organization, as far as it is known already. */
export const now = (): number => Date.now() + aheadMs

type Tick = { organization: number; real: number }

const listeners = new Set<() => void>()
let tick: Tick = { organization: now(), real: Date.now() }

function moveOn(): void {
  tick = { organization: now(), real: Date.now() }
  for (const listener of listeners) listener()
}

export function setAhead(ms: number): void {
  if (ms === aheadMs) return
  aheadMs = ms
  moveOn()
}

const everyMs = 30_000
let timer: ReturnType<typeof setInterval> | undefined

function watch(listener: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(moveOn, everyMs)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Both, moving on every half minute. */
export const useTick = (): Tick => useSyncExternalStore(watch, () => tick)
