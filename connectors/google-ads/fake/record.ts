import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A request and its answer, without secrets. */
export type Exchange = {
  network: 'google-ads'
  method: string
  path: string
  headers: Record<string, string>
  body: string
  status: number
  answer: unknown
}

export type Recorder = (exchange: Exchange) => Promise<void>

/** Writes each exchange as a line of JSON. */
export function recorderOf(directory: string | undefined): Recorder {
  if (!directory) return async () => {}
  return async (exchange) => {
    await mkdir(directory, { recursive: true })
    await appendFile(join(directory, 'google-ads.jsonl'), `${JSON.stringify(exchange)}\n`)
  }
}

const kept = ['content-type', 'login-customer-id', 'accept']

export const withoutSecrets = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
