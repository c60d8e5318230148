const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** npm and a terminal both pass Ctrl-C on, so one press can arrive twice. */
const samePressMs = 250

/** Resolves at the first signal to stop; a second SIGTERM or SIGINT ends the process on the spot. */
export function untilStopped(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let askedAt: number | undefined
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      // The kernel, the shell and the launcher may each report that the terminal was closed.
      if (signal === 'SIGHUP') ignoreOutputErrors()
      else if (isSecondPress(askedAt)) process.exit(exitCode)
      askedAt ??= performance.now()
      resolve(signal)
    })
  }
  return promise
}

/** Ends the process at the first signal by `exit`, whose listeners stop PostgreSQL too. */
export function exitWhenStopped(): void {
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.once(signal, () => process.exit(exitCode))
  }
}

const isSecondPress = (askedAt: number | undefined) =>
  askedAt !== undefined && performance.now() - askedAt > samePressMs

/** Writing to a closed terminal fails, which must not cut the stop short. */
function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {})
  }
}
