import { createWriteStream } from 'node:fs'
import type { ExchangeLine } from '../contract/exchange-line.ts'

/** Exchanges with a network, a line of JSON each; credentials are taken out before. */

export type Transcript = { write(exchange: ExchangeLine): void; close(): Promise<void> }

export function openTranscript(path: string | null): Transcript {
  if (path === null) return { write: () => {}, close: async () => {} }
  const file = createWriteStream(path, { mode: 0o600 })
  return {
    write: (exchange) => void file.write(`${JSON.stringify(exchange)}\n`),
    close: () => new Promise((done) => file.end(() => done())),
  }
}
