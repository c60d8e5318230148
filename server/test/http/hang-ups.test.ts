import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { admissionControl } from '../../src/limits/admission.ts'
import { listen } from '../support/event-stream.ts'
import { msUntil } from '../support/machines/replica.ts'
import { openWorld, type TestOrganization, type World } from '../support/world.ts'

const most = 12
/** The share of one organization that is alone. */
const share = 10
let world: World
let port: number
let organization: TestOrganization

/** Holds back the rate limiter, so that requests wait for it. */
let stalled: PromiseWithResolvers<void> | undefined
let waiting = 0

beforeAll(async () => {
  world = await openWorld({
    alter: (services) => ({
      ...services,
      limits: {
        ...services.limits,
        admission: admissionControl({ most, perTenantBeforeQueueing: most }),
        rates: {
          ...services.limits.rates,
          async take(...asked) {
            waiting += 1
            await stalled?.promise
            waiting -= 1
            return services.limits.rates.take(...asked)
          },
        },
      },
    }),
  })
  port = Number(new URL(await listen(world.app)).port)
  organization = await world.organization()
  await organization.owner.get('/limits')
})
afterAll(() => world.close())
afterEach(() => goOn())

const stall = () => {
  stalled = Promise.withResolvers()
}

function goOn(): void {
  stalled?.resolve()
  stalled = undefined
}

/** Sends the request repeatedly, pipelined on one connection. */
function ask(head: string, times = 1): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const headers = `host: x\r\nauthorization: Bearer ${organization.owner.token}\r\n`
  for (let sent = 0; sent < times; sent += 1) socket.write(`${head}\r\n${headers}\r\n`)
  return socket
}

/** How many of this many simultaneous reads are admitted. */
async function admitted(): Promise<number> {
  stall()
  const asked = Array.from({ length: 2 * most }, () => organization.owner.get('/limits'))
  await msUntil(() => waiting === most)
  goOn()
  const replies = await Promise.all(asked)
  return replies.filter(({ statusCode }) => statusCode === 200).length
}

const body = 'content-type: application/json\r\ncontent-length: 100'

test.each([
  ['reads', 'GET /api/v1/limits HTTP/1.1'],
  ['heavy reads', 'GET /api/v1/audit_logs/export?format=ndjson HTTP/1.1'],
  ['writes whose body is to come', `POST /api/v1/templates HTTP/1.1\r\n${body}`],
  ['streams', 'GET /api/v1/events/stream HTTP/1.1'],
])('clients that disconnect while they are counted leak no slot: %s', async (_, head) => {
  for (let round = 0; round < 3; round += 1) {
    stall()
    const sockets = Array.from({ length: share }, () => ask(head))
    await msUntil(() => waiting === share)
    for (const socket of sockets) socket.destroy()
    await msUntil(() => world.app.traffic.underWay === 0)
    goOn()
    await msUntil(() => waiting === 0 && world.services.limits.admission.taken === 0)
    expect(world.services.limits.uploads.taken).toBe(0)
  }
  expect(await admitted()).toBe(share)
  await msUntil(() => world.services.limits.admission.taken === 0)
})

test('pipelined requests on a closed connection leak no slot either', async () => {
  stall()
  const socket = ask('GET /api/v1/limits HTTP/1.1', share)
  await msUntil(() => waiting === share)
  socket.destroy()
  await msUntil(() => world.app.traffic.underWay === 0)
  goOn()
  await msUntil(() => waiting === 0 && world.services.limits.admission.taken === 0)
  expect(await admitted()).toBe(share)
})

test('a client that disconnects while sending its body is not a database fault', async () => {
  const loggedLines = () => world.logged.filter(({ path }) => path === '/api/v1/templates')
  const [before, from] = [loggedLines().length, world.logged.length]
  const socket = ask(`POST /api/v1/templates HTTP/1.1\r\n${body}`)
  socket.write('{"name":')
  await msUntil(() => world.services.limits.uploads.taken > 0)
  socket.destroy()
  await msUntil(() => loggedLines().length > before)
  const debug = 20
  expect(loggedLines().slice(before)).toMatchObject([
    { level: debug, msg: 'the client hung up in its body' },
  ])
  expect(world.logged.slice(from).filter(({ level }) => Number(level) > 30)).toEqual([])
})
