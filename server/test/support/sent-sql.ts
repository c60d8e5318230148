import pg from 'pg'

type Parse = (this: unknown, message: { text: string }, more?: boolean) => void
type Prototype = { parse: Parse }

// pg's own connection, on which database/driver prepares its statements.
const { prototype } = (pg as unknown as { Connection: { prototype: Prototype } }).Connection

/** Records every statement that this thread prepares from now on, with normalized whitespace. */
export function recordSql(): { sent: ReadonlySet<string>; stop(): void } {
  const sent = new Set<string>()
  const { parse } = prototype
  prototype.parse = function (message, more) {
    sent.add(message.text.replace(/\s+/g, ' ').trim())
    return parse.call(this, message, more)
  }
  return {
    sent,
    stop: () => {
      prototype.parse = parse
    },
  }
}
