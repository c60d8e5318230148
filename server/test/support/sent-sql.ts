import pg from 'pg'

type Parse = (this: unknown, message: { text: string }, more?: boolean) => void
type Prototype = { parse: Parse }

// pg's own connection: where database/wire.ts prepares what it sends.
const { prototype } = (pg as unknown as { Connection: { prototype: Prototype } }).Connection

/** Remembers every statement that this thread prepares from now on, blanks made even. */
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
