import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, openStream } from '../../../test/support/event-stream.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { buildApp } from '../../app.ts'

let world: World
let app: FastifyInstance
let url: string

beforeAll(async () => {
  world = await openWorld()
  app = await buildApp({ services: world.services, logger: pino({ level: 'silent' }) })
  url = await listen(app)
})
afterAll(async () => {
  await app.close()
  await world.close()
})

/** Whether it becomes quiet long before it would be given up. */
async function isQuietSoon(): Promise<boolean> {
  const began = performance.now()
  await app.traffic.quiet(3_000)
  return performance.now() - began < 1_500
}

test('a request counts until its client disconnects, even if it was never answered', async () => {
  const { port, hostname } = new URL(url)
  const client = connect(Number(port), hostname)
  const received = once(app.server, 'request')
  client.write('POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n')
  client.write('content-type: application/json\r\n\r\n{')
  await received
  let isQuiet = false
  const quiet = app.traffic.quiet(10_000).then(() => {
    isQuiet = true
  })
  await (await fetch(`${url}/livez`)).text()
  expect(isQuiet).toBe(false)
  client.destroy()
  await quiet
  expect(await isQuietSoon()).toBe(true)
})

test('the wait excludes open streams, which end by themselves', async () => {
  const { owner } = await world.organization()
  const stream = await openStream(url, owner)
  await stream.block()
  expect(await isQuietSoon()).toBe(true)
  world.services.observability.readiness.drain()
  expect((await stream.rest()).at(-1)).toEqual({ comment: 'end shutting_down' })
})
