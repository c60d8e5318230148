/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */

/** Delay before a client reconnects. */
const retryMs = 2_000

type SentEvent = { id: string; type: string; body: string }

/** The body is single-line JSON, so it needs no splitting. */
export const eventText = ({ id, type, body }: SentEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`

/** A block without data is not an event, but sets the client's `Last-Event-ID`. */
export const startText = (id: string | null): string =>
  `retry: ${retryMs}\n: connected\n${idLine(id)}\n`

export const heartbeatText = (id: string | null): string => `: heartbeat\n${idLine(id)}\n`

export const endText = (reason: string): string => `: end ${reason}\n\n`

const idLine = (id: string | null): string => (id === null ? '' : `id: ${id}\n`)
