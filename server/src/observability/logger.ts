import { styleText } from 'node:util'
import pino, { type LogFn, type Logger } from 'pino'
import type { Config } from '../config/config.ts'

export type { Logger }

/** Logs JSON lines; on a terminal, short lines for people. */
export function openLogger(
  level: Config['logLevel'],
  stream: NodeJS.WriteStream & { fd: number },
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { logMethod: skipEmpty },
    // A safeguard: nothing logs these. `err.client` is 5 kB that pg attaches to connection errors.
    redact: ['*.headers.authorization', '*.password', '*.token', '*.secret', 'err.client'],
  }
  if (!stream.isTTY) return pino(options, pino.destination({ fd: stream.fd, sync: true }))
  return pino(options, { write: (line: string) => void stream.write(humanLine(line)) })
}

/** Fastify logs each address it listens on; `listenTextResolver` returns an empty text to skip that. */
function skipEmpty(this: Logger, line: Parameters<LogFn>, log: LogFn): void {
  if (line.at(0) !== '') log.apply(this, line)
}

const colours: Readonly<Record<string, 'yellow' | 'red'>> = {
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
}

/** `07:51:02 warn  request {"status":503,…}`, with the stack of an error below it. */
function humanLine(json: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(json)
  const colour = colours[level] ?? 'dim'
  const fields = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''
  const stack = err?.stack ? `\n${err.stack}` : ''
  const head = `${String(time).slice(11, 19)} ${String(level).padEnd(5)}`
  return `${styleText(colour, head)} ${msg ?? ''}${styleText('dim', fields)}${stack}\n`
}
