const signals = { SIGINT: 130, SIGTERM: 143 } as const

/** npm and a terminal both pass Ctrl-C on, so one press can arrive twice. */
const samePressMs = 250

/** Resolves at the first SIGTERM or SIGINT; another one ends the process on the spot. */
export function untilStopped(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let askedAt: number | undefined
  for (const [signal, exitCode] of Object.entries(signals)) {
    process.on(signal, () => {
      if (askedAt !== undefined && performance.now() - askedAt > samePressMs) process.exit(exitCode)
      askedAt ??= performance.now()
      resolve(signal)
    })
  }
  return promise
}
