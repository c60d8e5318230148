import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { listen, openStream, urlOf } from '../../../test/support/event-stream.ts'
import { type Client, openWorld, unlimited, type World } from '../../../test/support/world.ts'

let world: World
/** The service's ends of the connections. */
const sockets: Socket[] = []

beforeAll(async () => {
  const env = {
    ...unlimited,
    FLIGHTDECK_EVENT_STREAMS: 'organization=1',
  }
  world = await openWorld({ env })
  await listen(world.app)
  world.app.server.on('connection', (socket) => sockets.push(socket))
})
afterAll(() => world.close())

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

/** A client that requests the stream but does not read until asked. */
async function askAndLook(away: Client): Promise<Socket> {
  const { hostname, port } = new URL(urlOf(world.app))
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const authorization = `authorization: Bearer ${away.token}`
  socket.write(`GET /api/v1/events/stream HTTP/1.1\r\nhost: x\r\n${authorization}\r\n\r\n`)
  return socket
}

/** Reads up to the last part. */
async function readUntil(socket: Socket, last: string): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of socket.setEncoding('utf8')) {
    chunks.push(chunk)
    if (chunks.slice(-2).join('').includes(last)) break
  }
  return chunks.join('')
}

const sequencesIn = (text: string) =>
  [...text.matchAll(/"sequence":(\d+),"request_id"/g)].map(([, sequence]) => Number(sequence))

/** Changes whose events have 30 KB each: metadata near its limit, and the former metadata. */
async function writeMuch(client: Client, id: string, count: number): Promise<void> {
  for (const at of range(count)) {
    const entries = range(50).map((key) => [`k${key}`, `${at % 10}`.repeat(300)])
    const reply = await client.patch(`/campaigns/${id}`, { metadata: Object.fromEntries(entries) })
    expect(reply.statusCode).toBe(200)
  }
}

async function campaignIn(world: World) {
  const organization = await world.organization()
  const { owner } = organization
  const id = await made(owner, '/campaigns', campaignBody(await profileOf(organization)))
  const { sequence } = (await owner.get('/events?limit=1')).json().data[0]
  return { owner, id, sequence }
}

describe('a client that does not read', () => {
  // It makes 540 changes, one after the other.
  test('costs at most a few pages, and gets everything once it reads', {
    timeout: 180_000,
  }, async () => {
    const { owner, id, sequence } = await campaignIn(world)
    const client = await askAndLook(owner)
    await vi.waitFor(() => expect(sockets.at(-1)?.bytesWritten).toBeGreaterThan(0), 20_000)
    const held = () => sockets.at(-1)?.writableLength ?? 0
    let mostHeld = 0
    const count = 540
    for (const _ of range(count / 20)) {
      await writeMuch(owner, id, 20)
      mostHeld = Math.max(mostHeld, held())
    }
    // The kernel buffers some; the rest waits in the service.
    expect(held()).toBeGreaterThan(0)
    expect(mostHeld).toBeLessThan(300_000)
    const text = await readUntil(client, `"sequence":${sequence + count},"request_id"`)
    expect(sequencesIn(text)).toEqual(range(count).map((at) => sequence + 1 + at))
    client.destroy()
  })

  test('is cut off after a minute, and frees its slot', async () => {
    const { owner, id } = await campaignIn(world)
    const client = await askAndLook(owner)
    await vi.waitFor(() => expect(sockets.at(-1)?.timeout).toBe(60_000), 20_000)
    const socket = sockets.at(-1)
    await vi.waitFor(async () => {
      await writeMuch(owner, id, 20)
      expect(socket?.writableLength).toBeGreaterThan(0)
    }, 25_000)
    expect((await openStream(urlOf(world.app), owner)).status).toBe(409)
    // A minute would be too long for a test.
    socket?.setTimeout(50)
    await vi.waitFor(() => expect(socket?.destroyed).toBe(true), 20_000)
    const next = await openStream(urlOf(world.app), owner)
    expect(next.status).toBe(200)
    await next.hangUp()
    client.destroy()
  })
})

test('frees its slot at once when it disconnects', async () => {
  const { owner } = await campaignIn(world)
  for (const _ of range(20)) {
    const stream = await openStream(urlOf(world.app), owner)
    expect(stream.status).toBe(200)
    await stream.block()
    await stream.hangUp()
    await vi.waitFor(() => expect(sockets.at(-1)?.destroyed).toBe(true), 20_000)
  }
})
