/** The service cannot start; the message is for the terminal: one line, or with log lines below. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Turns a file system error (disk full, read-only, no permission) into a StartError. */
export function asStartError(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError || errorCode(error) === undefined) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StartError(`The data directory ${dataDir} cannot be used: ${reason}`, { cause: error })
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The last lines of a program's output, indented for the end of a message. */
export function quoteOutput(output: string, lines = 6): string {
  const last = output.trim().split('\n').slice(-lines)
  return last.map((line) => (line === '' ? '' : `\n  ${line}`)).join('')
}
