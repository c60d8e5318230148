import { StartError } from './start-error.ts'

/** The longest wait at the start, and the place to report it. */
export type Patience = { waitAtMostMs: number; report: Report }

/** Called with one line. */
export type Report = (line: string) => void

export const reportOnStderr: Report = (line) => void process.stderr.write(`flightdeck: ${line}\n`)

/** As long as a recovery or a backup may take. What starts the service again may wait longer. */
export const ordinaryPatience: Patience = { waitAtMostMs: 30 * 60_000, report: reportOnStderr }

/** A function to call with what is waited for, again and again: it throws when that was too long. */
export function patiently({ waitAtMostMs }: Patience): (line: string) => void {
  const giveUpAt = Date.now() + waitAtMostMs
  return (line) => {
    if (Date.now() < giveUpAt) return
    throw new StartError(
      `${line}, for ${waitAtMostMs / 1_000} s now: end that, or try again later.`,
    )
  }
}
