const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** A terminal and npm both forward Ctrl-C, so one press can arrive twice. */
const samePressMs = 250

/** Resolves on the first stop signal; a second SIGTERM or SIGINT exits immediately. */
export function untilStopped(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let firstAt: number | undefined
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      // The kernel, the shell and the launcher may each report that the terminal was closed.
      if (signal === 'SIGHUP') ignoreOutputErrors()
      else if (isSecondPress(firstAt)) process.exit(exitCode)
      firstAt ??= performance.now()
      resolve(signal)
    })
  }
  return promise
}

/** Exits on the first stop signal; the `exit` listeners stop PostgreSQL too. */
export function exitWhenStopped(): void {
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.once(signal, () => process.exit(exitCode))
  }
}

const isSecondPress = (firstAt: number | undefined) =>
  firstAt !== undefined && performance.now() - firstAt > samePressMs

/** Writing to a closed terminal fails, which must not interrupt the shutdown. */
function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {})
  }
}
