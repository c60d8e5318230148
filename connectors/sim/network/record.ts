import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answered } from './api.ts'

type Exchange = { method: string; url: string; text: string; answered: Answered }

export type Recorder = (exchange: Exchange) => Promise<void>

/** Writes each request and its answer as a line of JSON, without the token. */
export function recorderOf(directory: string | undefined): Recorder {
  if (!directory) return async () => {}
  return async ({ method, url, text, answered: { status, body } }) => {
    await mkdir(directory, { recursive: true })
    const line = JSON.stringify({
      network: 'sim',
      method,
      path: url,
      body: text,
      status,
      answer: body,
    })
    await appendFile(join(directory, 'sim.jsonl'), `${line}\n`)
  }
}
