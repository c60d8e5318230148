import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { execute } from '../../../test/support/deliveries.ts'
import {
  deliveriesOf,
  deliveringIn,
  openToLocal,
  subscribe,
  verify,
  withStatus,
} from '../../../test/support/delivering.ts'
import { receiverForTest } from '../../../test/support/machines/receiver.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { Client } from '../../../test/support/world.ts'
import type { Background } from '../../background/scheduler.ts'

let world: OwnWorld
let background: Background

beforeAll(async () => {
  world = await openOwnWorld({ env: openToLocal })
  background = await deliveringIn(world)
})
afterAll(async () => {
  await background.stop()
  await world.close()
})

/** Moves the clock, and wakes all workers. */
async function after(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1000)
  await background.delivery.sweep()
}

/** This many wait for it until the clock moves on by two seconds. */
async function holdBack(owner: Client, { id }: { id: string }, count: number): Promise<void> {
  const until = new Date(world.clock.now().getTime() + 1_000).toISOString()
  await execute(world, 'update webhook_endpoints set paused_until = $2 where id = $1', [id, until])
  for (let at = 0; at < count; at += 1) await owner.post('/templates', { name: `T${at}` })
}

test('deliveries that were read ahead are not sent twice', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber, { events: ['template.created'] })
  const held: ServerResponse[] = []
  await holdBack(owner, endpoint, 145)
  // Nine hang for a while, so that the worker stays busy between its reads.
  let count = 0
  subscriber.answer((_, response) => {
    count += 1
    if (count <= 9) held.push(response)
    else setTimeout(() => response.writeHead(200).end(), 20)
  })
  await after(2)
  await subscriber.arrived(145, 20_000)
  for (const response of held) response.writeHead(200).end()
  await withStatus(owner, endpoint, 'succeeded', 100)
  const ids = subscriber.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(new Set(ids).size)
})

test('a test and a redelivery overtake pending deliveries of a paused endpoint', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber, { events: ['template.created'] })
  await holdBack(owner, endpoint, 130)
  const tested = (await owner.post(`/webhook_endpoints/${endpoint.id}/test`)).json()
  const [got] = await subscriber.arrived(1)
  expect(JSON.parse(got?.body ?? '{}').type).toBe('webhook_endpoint.test')
  const waiting = await deliveriesOf(owner, endpoint, 'status=pending')
  const last = waiting.find(({ id }: { id: string }) => id !== tested.id)
  await owner.post(`/webhook_endpoints/${endpoint.id}/deliveries/${last.id}/redeliver`)
  const [, again] = await subscriber.arrived(2)
  expect(again?.headers['webhook-id']).toBe(last.event_id)
})

test('a slow endpoint that is disabled, or gets another secret, is updated at once', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  subscriber.answer((_, response) => void setTimeout(() => response.writeHead(200).end(), 400))
  const endpoint = await subscribe(owner, subscriber, { events: ['template.created'] })
  await holdBack(owner, endpoint, 90)
  await after(2)
  await subscriber.arrived(12)
  const rotated = await owner.post(`/webhook_endpoints/${endpoint.id}/rotate_secret`, {
    grace_period_seconds: 0,
  })
  const atRotation = subscriber.received.length
  await subscriber.arrived(atRotation + 25)
  // Deliveries of the first quarter of a second may already have been on their way.
  const later = subscriber.received.slice(atRotation + 15)
  for (const each of later) verify(each, rotated.json().secret)
  await owner.post(`/webhook_endpoints/${endpoint.id}/disable`)
  const atDisabling = subscriber.received.length
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(subscriber.received.length - atDisabling).toBeLessThan(15)
})

test('a redelivery requested during the last attempt is sent once more', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const answers: ServerResponse[] = []
  subscriber.answer((_, response) => void answers.push(response))
  const endpoint = await subscribe(owner, subscriber, { events: ['template.created'] })
  await owner.post('/templates', { name: 'T' })
  await subscriber.arrived(1)
  const [delivery] = await deliveriesOf(owner, endpoint)
  world.clock.advance(1_000)
  const asked = await owner.post(
    `/webhook_endpoints/${endpoint.id}/deliveries/${delivery.id}/redeliver`,
  )
  expect(asked.statusCode).toBe(202)
  answers[0]?.writeHead(200).end()
  await subscriber.arrived(2)
  answers[1]?.writeHead(200).end()
  const [after] = await withStatus(owner, endpoint, 'succeeded')
  expect(after).toMatchObject({ attempt_count: 2 })
})

test('deliveries that could not be attempted wait until they can', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber, { events: ['template.created'] })
  const seal = (change: string) =>
    execute(world, `update webhook_endpoints set secret_sealed = ${change} where id = $1`, [
      endpoint.id,
    ])
  await seal(`'x' || secret_sealed`)
  await owner.post('/templates', { name: 'T' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(subscriber.received).toHaveLength(0)
  await seal('substr(secret_sealed, 2)')
  const sweeping = setInterval(() => void background.delivery.sweep(), 100)
  await withStatus(owner, endpoint, 'succeeded')
  clearInterval(sweeping)
  expect(subscriber.received).toHaveLength(1)
})

test('a test updates the health of an endpoint; 410 disables it', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber)
  const stateOf = async () => (await owner.get(`/webhook_endpoints/${endpoint.id}`)).json()
  await owner.post(`/webhook_endpoints/${endpoint.id}/test`)
  await vi.waitFor(
    async () =>
      expect(await stateOf()).toMatchObject({ last_success_at: world.clock.now().toISOString() }),
    20_000,
  )
  subscriber.answer(500)
  await owner.post(`/webhook_endpoints/${endpoint.id}/test`)
  await vi.waitFor(
    async () =>
      expect(await stateOf()).toMatchObject({
        last_failure_at: world.clock.now().toISOString(),
        consecutive_failures: 0,
      }),
    20_000,
  )
  subscriber.answer(410)
  await owner.post(`/webhook_endpoints/${endpoint.id}/test`)
  await vi.waitFor(
    async () =>
      expect(await stateOf()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' }),
    20_000,
  )
})
