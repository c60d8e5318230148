import type { Signal } from './signals.ts'

/** What processes on one database tell each other; `from` is whoever says it. */
export type Message =
  | { from: string; signals: readonly Signal[] }
  /** More than can be told one by one, or something was not told: look at everything. */
  | { from: string; everything: true }
  /** To oneself, to learn whether one is heard; and to the others, that there is one who listens. */
  | { from: string; echo: number }

/** PostgreSQL's own bound on one notification. */
const maxBytes = 7_999
/** Beyond these, looking at everything is cheaper than reading on. */
const maxMessages = 8

/** The signals as few texts; ids and names are ASCII, so a character is a byte. */
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

/** A signal as it travels: few bytes, as every process reads them all. */
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

/** Most of what a process hears is its own: that is known without reading on. */
export const isFrom = (from: string, text: string): boolean => text.startsWith(headOf(from))

/** Nobody's in particular, so that whoever has said it hears it too. */
export const credentialsText = (organizationId: string): string =>
  `${headOf('')}"signals":[${JSON.stringify([organizationId, 1])}]}`

export const everythingText = (from: string): string => encode({ from, everything: true })

/** For what has no signals: those go by `textsOf`. */
export const encode = (message: Exclude<Message, { signals: unknown }>): string =>
  JSON.stringify(message)

/** What another version says in words that are not known here may be about anything. */
export function decodeMessage(text: string): Message {
  const said = parsed(text)
  const from = typeof said?.from === 'string' ? said.from : ''
  if (typeof said?.echo === 'number') return { from, echo: said.echo }
  const signals = Array.isArray(said?.signals) ? said.signals : undefined
  if (!signals?.every(isWords)) return { from, everything: true }
  return { from, signals: signals.map(signalIn) }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isWords = (value: unknown): value is WireFormat => {
  if (!Array.isArray(value)) return false
  const [organizationId, touchesCredentials, ...endpointIds] = value
  return (
    (touchesCredentials === 0 || touchesCredentials === 1) &&
    [organizationId, ...endpointIds].every((id) => typeof id === 'string')
  )
}
