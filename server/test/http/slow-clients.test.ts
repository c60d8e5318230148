import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { sendFile } from '../../src/http/reply/send-file.ts'
import { listen } from '../support/event-stream.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let app: FastifyInstance
let port: number
let produced = 0
let isGivenUp = false
const sockets: Socket[] = []

async function* endless(): AsyncIterable<string> {
  try {
    for (;;) {
      produced += 1
      yield 'x'.repeat(64 * 1024)
    }
  } finally {
    isGivenUp = true
  }
}

beforeAll(async () => {
  world = await openWorld()
  app = await buildApp({ services: world.services, logger: pino({ level: 'silent' }) })
  const file = { contentType: 'text/plain', fileName: 'endless.txt', chunks: endless() }
  app.get('/endless', (request, reply) => sendFile(file, { request, reply }))
  port = Number(new URL(await listen(app)).port)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

type Client = { socket: Socket; said(): string; ended: Promise<unknown> }

function client(): Client {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let said = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    said += chunk
  })
  return { socket, said: () => said, ended: once(socket, 'close') }
}

/** Sends the text one byte at a time until the connection closes. */
async function drip({ socket }: Client, text: string): Promise<void> {
  for (const character of text) {
    if (!socket.writable) return
    socket.write(character)
    await sleep(50)
  }
}

const within = <T>(work: Promise<T>, ms: number) =>
  Promise.race([work, sleep(ms).then(() => Promise.reject(new Error(`not within ${ms} ms`)))])

test('the timeouts are those of the guide', () => {
  const { requestTimeout, headersTimeout, keepAliveTimeout, timeout, maxConnections } = app.server
  expect({ requestTimeout, headersTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 72_000,
    timeout: 60_000,
    maxConnections: 10_000,
  })
})

test('slowly sent headers are refused and cut off in time', async () => {
  app.server.headersTimeout = 400
  const slow = client()
  void drip(slow, 'GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: 12345678901234567890123456789012345')
  await within(slow.ended, 4_000)
  expect(slow.said()).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*arrived too slowly/s)
})

test('a silent connection is cut off', async () => {
  app.server.headersTimeout = 400
  const silent = client()
  await within(silent.ended, 4_000)
  expect(app.traffic.underWay).toBe(0)
})

test('a slowly sent body holds no slot, and is cut off in time', async () => {
  app.server.headersTimeout = 300
  app.server.requestTimeout = 800
  const slow = client()
  slow.socket.write('POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 400\r\n')
  slow.socket.write('content-type: application/json\r\n\r\n')
  void drip(slow, '{"email":"eve@example.com","password":"and so on, for quite a while"}')
  await until(() => app.traffic.underWay === 1)
  await until(() => world.services.limits.admission.taken === 0)
  expect(app.traffic.underWay).toBe(1)
  await within(slow.ended, 5_000)
  await until(() => app.traffic.underWay === 0)
  app.server.requestTimeout = 30_000
})

test('an idle connection is closed after its time, and not before', async () => {
  app.server.keepAliveTimeout = 300
  const idle = client()
  idle.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => idle.said().includes('{"status":"ok"}'))
  await within(idle.ended, 4_000)
  app.server.keepAliveTimeout = 72_000
})

test('a client that stops reading a large answer stops its generation, and is cut off', async () => {
  app.server.timeout = 700
  const reader = client()
  reader.socket.pause()
  reader.socket.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => produced > 0)
  await until(() => isGivenUp, 10_000)
  // No more than the system's buffers hold.
  expect(produced * 64).toBeLessThan(16 * 1024)
  await until(() => world.services.limits.admission.taken === 0)
  app.server.timeout = 60_000
})

test('beyond the connection limit new connections are closed, and others continue', async () => {
  const first = client()
  await once(first.socket, 'connect')
  await until(() => open() === 1)
  app.server.maxConnections = 1
  await within(client().ended, 4_000)
  first.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => first.said().includes('{"status":"ok"}'))
  app.server.maxConnections = 10_000
})

const open = () => (app.server as unknown as { _connections: number })._connections

async function until(isSo: () => boolean, withinMs = 20_000): Promise<void> {
  for (const begun = performance.now(); !isSo(); await sleep(10)) {
    if (performance.now() - begun > withinMs) throw new Error(`still not so after ${withinMs} ms`)
  }
}
