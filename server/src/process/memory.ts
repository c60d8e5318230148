import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const sampleMs = 3_000
/**
 * Event loop utilization below which the service counts as idle. Measured: 1 % without requests, 4 %
 * just after the start, 9 % in a one-second lull of 50 requests a second.
 */
const idleShare = 0.05

/**
 * Starting needs more memory than idling, and V8 keeps it until asked. Measured: 138 MB become
 * 112 MB, for one pause of 100 ms (docs/decisions/0018-memory-settings.md). The pause would delay
 * requests, so it waits until the service is idle.
 */
export function releaseAfterStart(): void {
  setTimeout(releaseIfIdle, sampleMs, performance.eventLoopUtilization()).unref()
}

function releaseIfIdle(before: EventLoopUtilization): void {
  const isIdle = performance.eventLoopUtilization(before).utilization < idleShare
  if (isIdle) release()
  else releaseAfterStart()
}

function release(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
