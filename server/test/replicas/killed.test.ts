import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { citusAddress } from '../support/machines/citus.ts'
import { type Service, serve } from '../support/machines/command-line.ts'
import { urlOf } from '../support/machines/fresh-database.ts'
import { openReceiver, type Receiver, receiverForTest } from '../support/machines/receiver.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { unlimited } from '../support/world.ts'

let world: OwnWorld
let receiver: Receiver
const started: Service[] = []

beforeAll(async () => {
  world = await openOwnWorld({ env: settings })
  receiver = await openReceiver()
})
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop('SIGKILL')))
  await receiver.close()
  await world.close()
})

const settings = {
  FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
  FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
  ...unlimited,
  FLIGHTDECK_CAPS: 'templates=1000',
}

async function start(): Promise<Service> {
  const url = urlOf(world.database)
  const own = { FLIGHTDECK_DATABASE_URL: url, FLIGHTDECK_DATA_DIR: inject('dataDir') }
  const service = await serve(tmpdir(), { ...settings, ...own })
  started.push(service)
  return service
}

// Citus takes ten times as long for each.
const many = citusAddress() ? 200 : 1_000

test('a service killed during many deliveries: the next one sends the rest, and no others', async () => {
  const { id, owner } = await world.organization()
  const events = ['template.*']
  await owner.post('/webhook_endpoints', { url: receiver.url, events })
  for (let made = 0; made < many; made += 50) {
    const names = Array.from({ length: 50 }, (_, at) => `Template ${made + at}`)
    await Promise.all(names.map((name) => owner.post('/templates', { name, defaults: {} })))
  }
  const first = await start()
  await receiver.arrived(many * 0.3, 15_000)
  await first.stop('SIGKILL')
  expect(receiver.received.length).toBeLessThan(many)
  const second = await start()
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  await vi.waitFor(() => expect(arrived().size).toBe(many), { timeout: 30_000, interval: 100 })
  const reported = await world.database.query<{ id: string }>(
    `select id from events where organization_id = $1 and type = 'template.created'`,
    [id],
  )
  expect(arrived()).toEqual(new Set(reported.map((event) => event.id)))
  await vi.waitFor(async () => {
    const counts = await world.database.query(
      `select status, count(*)::int as count from webhook_deliveries
        where organization_id = $1 group by status`,
      [id],
    )
    expect(counts).toEqual([{ status: 'succeeded', count: many }])
  }, 20_000)
  expect(await second.stop('SIGTERM')).toBe(0)
})

test('what a killed service was sending goes out again within ten seconds', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  subscriber.answer(() => {})
  const first = await start()
  await owner.post('/webhook_endpoints', { url: subscriber.url, events: ['template.*'] })
  await owner.post('/templates', { name: 'Template', defaults: {} })
  await subscriber.arrived(1)
  const second = await start()
  const killedAt = performance.now()
  await first.stop('SIGKILL')
  const [, again] = await subscriber.arrived(2, 15_000)
  expect(performance.now() - killedAt).toBeLessThan(10_000)
  expect(again?.headers['webhook-id']).toBe(subscriber.received[0]?.headers['webhook-id'])
  subscriber.answer(200)
  expect(await second.stop('SIGTERM')).toBe(0)
})
