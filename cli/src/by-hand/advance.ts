import type { Command } from 'commander'
import { clientOf } from '../account/session.ts'
import { UsageError } from '../faults.ts'
import { printObject } from '../output/print.ts'

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Seconds of a time such as `90m` or `7d`. */
function secondsIn(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,7})([smhdw])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf[unit] ?? 0)
  if (seconds > 0) return seconds
  throw new UsageError(`A time is such as 90m, 12h, 7d or 2w, not "${text}".`)
}

/** Moves the clock of a sandbox on. */
export async function advance(command: Command, text: string): Promise<void> {
  const advance_seconds = secondsIn(text)
  const { client } = await clientOf(command)
  const answer = await client.sandbox.moveClock({ advance_seconds })
  printObject(answer, { isJson: command.opts().json === true })
}
