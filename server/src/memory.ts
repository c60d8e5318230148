import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const settlesWithinMs = 3_000

/**
 * A start needs more memory than waiting for requests, and V8 keeps it until it is asked. Measured:
 * 138 MB become 112 MB, for one pause of a tenth of a second (docs/decisions/0018-memory-settings.md).
 */
export function giveBackOnceStarted(): void {
  setTimeout(giveBack, settlesWithinMs).unref()
}

function giveBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
