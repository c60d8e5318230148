import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Receiver } from './receivers.ts'

type Paced = { receiver: Receiver; perSecond: number; seconds: number }

/**
 * Makes campaigns at a steady pace. Answers the milliseconds from sending each request to the arrival
 * of its webhook, in no order; `Infinity` for one that did not arrive within a second.
 */
export async function latenciesOf(client: Client, paced: Paced): Promise<number[]> {
  const { receiver, perSecond, seconds } = paced
  await warmUp(client)
  const sentAt = new Map<string, number>()
  const begun = performance.now()
  const posts: Promise<void>[] = []
  for (let at = 0; at < seconds * perSecond; at += 1) {
    await sleep(Math.max(0, begun + (at * 1000) / perSecond - performance.now()))
    const sent = performance.timeOrigin + performance.now()
    posts.push(client.makeCampaign().then(({ id }) => void sentAt.set(id, sent)))
  }
  await Promise.all(posts)
  await sleep(1_000)
  const arrivals = await receiver.take()
  const events = await client.events(sentAt.size)
  return events.map(
    ({ id, campaignId }) => (arrivals[id] ?? Infinity) - (sentAt.get(campaignId) ?? 0),
  )
}

/** Opens workers and connections, and fills the ten slots of endpoints that hang. */
async function warmUp(client: Client): Promise<void> {
  for (let made = 0; made < 20; made += 1) await client.makeCampaign()
  await sleep(1_000)
}
