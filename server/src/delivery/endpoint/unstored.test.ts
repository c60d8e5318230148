import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { made } from '../../../test/support/cases/writes.ts'
import { openToLocal, subscribe, withStatus } from '../../../test/support/delivering.ts'
import { backgroundOf } from '../../../test/support/machines/background.ts'
import { type Receiver, receiverForTest } from '../../../test/support/machines/receiver.ts'
import { msUntil } from '../../../test/support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import type { Background } from '../../background/scheduler.ts'

let world: OwnWorld
let lines: { level: number; msg: string; endpoints?: number }[] = []

beforeAll(async () => {
  // A wait of one second, then of two, and so on.
  const env = { ...openToLocal, FLIGHTDECK_WEBHOOK_RETRY_SCHEDULE: '1,2,4' }
  world = await openOwnWorld({ env })
})
afterAll(() => world.close())
beforeEach(() => {
  lines = []
})

async function startProcess(): Promise<Background> {
  const to = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = pino({ level: 'warn' }, to)
  const background = backgroundOf({
    services: world.services,
    address: world.database.address,
    logger,
  })
  onTestFinished(() => background.stop())
  return background
}

/** Until the returned function is called, no attempt of the organization can be stored. */
async function refuseAttempts({ id }: TestOrganization): Promise<() => Promise<unknown>> {
  const { query } = world.database
  await query(`alter table webhook_attempts
    add constraint refuse check (organization_id <> '${id}') not valid`)
  return () => query('alter table webhook_attempts drop constraint refuse')
}

/** Answers the first requests when `count` have arrived: until then there is no outcome to store. */
function answerTogether(receiver: Receiver, { count, status }: { count: number; status: number }) {
  const held: ServerResponse[] = []
  receiver.answer((_, response) => {
    held.push(response)
    if (receiver.received.length < count) return
    for (const each of held.splice(0)) each.writeHead(status).end()
  })
}

const makeEvents = async ({ owner }: TestOrganization, names: readonly string[]) => {
  for (const name of names) await made(owner, '/templates', { name })
}

test('what cannot be stored is sent once, and stored when that works again', async () => {
  await startProcess()
  const organization = await world.organization()
  const { owner } = organization
  const [well, ill] = [await receiverForTest(), await receiverForTest()]
  answerTogether(well, { count: 3, status: 200 })
  answerTogether(ill, { count: 3, status: 500 })
  const endpoints = []
  for (const receiver of [well, ill]) {
    endpoints.push(await subscribe(owner, receiver, { events: ['template.created'] }))
  }
  const allow = await refuseAttempts(organization)
  await makeEvents(organization, ['A', 'B', 'C'])
  await Promise.all([well.arrived(3), ill.arrived(3)])
  await msUntil(() => world.services.observability.counters.endpointsStalled === 2, 10_000)
  await sleep(1_500)
  await makeEvents(organization, ['D', 'E'])
  await owner.post(`/webhook_endpoints/${endpoints[0].id}/test`)
  await sleep(2_000)
  expect([well.received.length, ill.received.length]).toEqual([3, 3])
  expect(world.services.observability.counters.endpointsStalled).toBe(2)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.msg).toMatch(/^outcomes of webhook attempts cannot be stored/)

  await allow()
  const delivered = await withStatus(owner, endpoints[0], 'succeeded', 6)
  expect(delivered.map(({ attempt_count }: { attempt_count: number }) => attempt_count)).toEqual(
    Array.from({ length: 6 }, () => 1),
  )
  expect(well.received).toHaveLength(6)
  await msUntil(() => world.services.observability.counters.endpointsStalled === 0, 10_000)
})

test('another process that takes over waits as long, and loses nothing', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const receiver = await receiverForTest()
  const endpoint = await subscribe(owner, receiver, { events: ['template.created'] })
  const allow = await refuseAttempts(organization)
  await makeEvents(organization, ['A'])
  const first = await startProcess()
  await receiver.arrived(1)
  await msUntil(() => world.services.observability.counters.endpointsStalled === 1, 10_000)
  await first.stop()
  expect(world.services.observability.counters.endpointsStalled).toBe(0)
  const second = await startProcess()
  await second.delivery.sweep()
  await sleep(500)
  expect(receiver.received).toHaveLength(1)
  await allow()
  world.clock.advance(2_000)
  await second.delivery.sweep()
  await withStatus(owner, endpoint, 'succeeded')
  expect(receiver.received).toHaveLength(2)
})

test('a process that takes over after the pause sends one delivery, until outcomes are stored', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const receiver = await receiverForTest()
  const endpoint = await subscribe(owner, receiver, { events: ['template.created'] })
  const allow = await refuseAttempts(organization)
  await makeEvents(organization, ['A'])
  const first = await startProcess()
  await receiver.arrived(1)
  await msUntil(() => world.services.observability.counters.endpointsStalled === 1, 10_000)
  await first.stop()
  const names = Array.from({ length: 12 }, (_, at) => `B${at}`)
  await makeEvents(organization, names)
  world.clock.advance(60_000)
  const second = await startProcess()
  await second.delivery.sweep()
  await msUntil(() => world.services.observability.counters.endpointsStalled === 1, 10_000)
  await sleep(500)
  expect(receiver.received).toHaveLength(2)
  await allow()
  await withStatus(owner, endpoint, 'succeeded', 13)
  expect(receiver.received).toHaveLength(14)
})
