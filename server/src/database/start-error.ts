import { errorCode, errorMessage } from '../values/errors.ts'

/** The service cannot start; the message is for the terminal: one line, or with log lines below. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Turns a file system error (disk full, read-only, no permission) into a StartError. */
export function asStartError(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError || errorCode(error) === undefined) return error
  const reason = errorMessage(error)
  return new StartError(`The data directory ${dataDir} cannot be used: ${reason}`, { cause: error })
}

/** The last lines of a program's output, indented for the end of a message. */
export function quoteOutput(output: string, lines = 6): string {
  const last = output.trim().split('\n').slice(-lines)
  return last.map((line) => (line === '' ? '' : `\n  ${line}`)).join('')
}
