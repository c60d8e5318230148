import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const settlesWithinMs = 3_000
/**
 * The share of the time in which a service does something though nobody asks it for anything, and more:
 * 1 % was measured, 4 % just after the start. Lulls of a second between fifty requests a second had 9 %.
 */
const idleShare = 0.05

/**
 * A start needs more memory than waiting for requests, and V8 keeps it until it is asked. Measured:
 * 138 MB become 112 MB, for one pause of a tenth of a second (docs/decisions/0018-memory-settings.md).
 * Who is at work then would wait for it, and needs the memory: it is asked in the first calm.
 */
export function releaseAfterStart(): void {
  setTimeout(releaseIfIdle, settlesWithinMs, performance.eventLoopUtilization()).unref()
}

function releaseIfIdle(before: EventLoopUtilization): void {
  const isCalm = performance.eventLoopUtilization(before).utilization < idleShare
  if (isCalm) release()
  else releaseAfterStart()
}

function release(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
