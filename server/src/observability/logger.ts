import { styleText } from 'node:util'
import pino, { type LogFn, type Logger } from 'pino'
import type { Config } from '../config/config.ts'

export type { Logger }

/** JSON lines, one an event, for machines; on a terminal short lines for people. */
export function openLogger(
  level: Config['logLevel'],
  stream: NodeJS.WriteStream & { fd: number },
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Nothing logs these; should something begin to, they stay out.
    hooks: { logMethod: skipEmpty },
    // An error of a connection brings along all that its client knows, five kilobytes of it.
    redact: ['*.headers.authorization', '*.password', '*.token', '*.secret', 'err.client'],
  }
  if (!stream.isTTY) return pino(options, pino.destination({ fd: stream.fd, sync: true }))
  return pino(options, { write: (line: string) => void stream.write(humanLine(line)) })
}

/** The framework tells of each address that it listens on; the texts are ours to leave empty. */
function skipEmpty(this: Logger, line: Parameters<LogFn>, log: LogFn): void {
  if (line.at(0) !== '') log.apply(this, line)
}

const colours = { warn: 'yellow', error: 'red', fatal: 'red' } as const

/** `07:51:02 warn  request {"status":503,…}`, with the stack of an error below it. */
function humanLine(json: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(json)
  const colour = colours[level as keyof typeof colours] ?? 'dim'
  const facts = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''
  const stack = err?.stack ? `\n${err.stack}` : ''
  const head = `${String(time).slice(11, 19)} ${String(level).padEnd(5)}`
  return `${styleText(colour, head)} ${msg ?? ''}${styleText('dim', facts)}${stack}\n`
}
