import { randomBytes } from 'node:crypto'
import type { Client, Reply } from '../world.ts'

/** A small cap, and as many requests as it takes to fill it. */
export const env = {
  FLIGHTDECK_PLAN_LIMITS: 'free=100000',
  FLIGHTDECK_PLAN_STORAGE: 'free=300kB,operator=2MB',
}
export const limit = 300_000

/** The problem of a full storage. */
export const refused = { code: 'limit_exceeded', resource: 'storage', limit }

export const largeMetadata = () =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`k${at}`, randomBytes(200).toString('hex')]),
  )

export const write = (client: Client) =>
  client.post('/profiles', { name: 'Large', metadata: largeMetadata() })
const writeLittle = (client: Client) => client.post('/profiles', { name: 'Small' })

/** Writes until nothing fits any more; answers the last refusal. */
export async function fill(client: Client): Promise<Reply> {
  await untilRefused(() => write(client))
  return untilRefused(() => writeLittle(client))
}

async function untilRefused(send: () => Promise<Reply>): Promise<Reply> {
  for (let count = 0; count < 60; count += 1) {
    const reply = await send()
    if (reply.statusCode !== 201) return reply
  }
  throw new Error('nothing was refused')
}
