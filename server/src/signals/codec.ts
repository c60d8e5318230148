import type { Signal } from './signals.ts'

/** A message between processes on one database; `from` is the sender's id. */
export type Message =
  | { from: string; signals: readonly Signal[] }
  /** Anything may have changed: too many signals to list, or some were lost. */
  | { from: string; everything: true }
  /** Shows the sender that notifications arrive, and the others that it listens. */
  | { from: string; echo: number }

/** PostgreSQL's limit for one notification. */
const maxBytes = 7_999
/** Beyond this, invalidating everything is cheaper. */
const maxMessages = 8

/** Packs signals into as few messages as possible. Ids are ASCII, so a character is a byte. */
export function encodeSignals(from: string, signals: readonly Signal[]): string[] {
  const head = `${headOf(from)}"signals":[`
  const texts: string[] = []
  let text = ''
  for (const signal of signals) {
    const part = JSON.stringify(encodeSignal(signal))
    if (text === '') text = head + part
    else if (text.length + part.length + 3 <= maxBytes) text += `,${part}`
    else {
      texts.push(`${text}]}`)
      text = head + part
    }
  }
  if (text !== '') texts.push(`${text}]}`)
  const isTooMuch = texts.length > maxMessages || texts.some(({ length }) => length > maxBytes)
  return isTooMuch ? [everythingText(from)] : texts
}

/** A compact signal, as every process reads all of them. */
type WireFormat = readonly [
  organizationId: string,
  touchesCredentials: 0 | 1,
  ...endpointIds: string[],
]

const encodeSignal = ({ organizationId, touchesCredentials, endpointIds }: Signal): WireFormat => [
  organizationId,
  touchesCredentials ? 1 : 0,
  ...endpointIds,
]

const signalIn = ([organizationId, touchesCredentials, ...endpointIds]: WireFormat): Signal => ({
  organizationId,
  endpointIds,
  touchesCredentials: touchesCredentials === 1,
})

const headOf = (from: string) => `{"from":${JSON.stringify(from)},`

/** Recognizes a process's own messages, which are most of them, without parsing. */
export const isFrom = (from: string, text: string): boolean => text.startsWith(headOf(from))

/** Has no sender id, so the sending process handles it too. */
export const credentialsText = (organizationId: string): string =>
  `${headOf('')}"signals":[${JSON.stringify([organizationId, 1])}]}`

export const everythingText = (from: string): string => encode({ from, everything: true })

/** For messages without signals; `encodeSignals` makes the others. */
export const encode = (message: Exclude<Message, { signals: unknown }>): string =>
  JSON.stringify(message)

/** A message of another version that cannot be decoded counts as `everything`. */
export function decodeMessage(text: string): Message {
  const message = parsed(text)
  const from = typeof message?.from === 'string' ? message.from : ''
  if (typeof message?.echo === 'number') return { from, echo: message.echo }
  const signals = Array.isArray(message?.signals) ? message.signals : undefined
  if (!signals?.every(isWireFormat)) return { from, everything: true }
  return { from, signals: signals.map(signalIn) }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isWireFormat = (value: unknown): value is WireFormat => {
  if (!Array.isArray(value)) return false
  const [organizationId, touchesCredentials, ...endpointIds] = value
  return (
    (touchesCredentials === 0 || touchesCredentials === 1) &&
    [organizationId, ...endpointIds].every((id) => typeof id === 'string')
  )
}
