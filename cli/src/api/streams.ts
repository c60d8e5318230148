import { pipeline } from 'node:stream/promises'
import type { StreamOptions } from '@flightdeckhq/sdk'
import { clean } from '../output/clean.ts'
import type { Call } from './run.ts'

/** Prints events as they happen, until it is interrupted. */
export async function printStream({ client, given, isGiven }: Call): Promise<void> {
  const type = given('type').flatMap((each) => each.split(','))
  const events = client.events.stream(type.length > 0 ? ({ type } as StreamOptions) : {})
  process.once('SIGINT', () => process.exit(0))
  for await (const event of events) {
    const { id, type, timestamp } = event
    const line = isGiven('json') ? JSON.stringify(event) : clean(`${timestamp}  ${id}  ${type}`)
    process.stdout.write(`${line}\n`)
  }
}

/** Prints a file as it arrives. */
export async function printFile({ body }: Response): Promise<void> {
  if (body) await pipeline(body, process.stdout, { end: false })
}
