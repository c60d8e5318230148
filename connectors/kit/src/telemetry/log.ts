/** Lines of JSON on standard error. */

type Facts = Readonly<Record<string, unknown>>

export type Log = {
  info(msg: string, facts?: Facts): void
  warn(msg: string, facts?: Facts): void
  error(msg: string, facts?: Facts): void
  /** The same log, with these facts in each line. */
  with(facts: Facts): Log
}

export function openLog(
  write: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
  always: Facts = {},
): Log {
  const line =
    (level: string) =>
    (msg: string, facts: Facts = {}) =>
      write(JSON.stringify({ time: new Date().toISOString(), level, msg, ...always, ...facts }))
  return {
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    with: (facts) => openLog(write, { ...always, ...facts }),
  }
}

export const said = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
