import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { features } from '../../src/features/index.ts'
import { openDeadlines } from '../../src/limits/deadlines.ts'
import { listen } from '../support/event-stream.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { Reply, TestOrganization } from '../support/world.ts'

/** Disabled: in these tests time passes only when they say so. */
const everyMs = 2 ** 26
const looksOfLimit = 20
const deadlines = openDeadlines({ limitMs: looksOfLimit * everyMs, everyMs })

let world: OwnWorld
let organization: TestOrganization
let blocker: pg.Client

beforeAll(async () => {
  world = await openOwnWorld({
    alter: (services) => ({ ...services, limits: { ...services.limits, deadlines } }),
  })
  organization = await world.organization()
  await organization.owner.get('/limits')
  blocker = new pg.Client(world.database.address)
  await blocker.connect()
})
afterAll(async () => {
  await blocker.end()
  deadlines.close()
  await world.close()
})
afterEach(() => blocker.query('rollback'))

const stall = async (table: string, mode: string): Promise<void> => {
  await blocker.query('begin')
  await blocker.query(`lock table ${table} in ${mode} mode`)
}

const goOn = () => blocker.query('rollback')

async function isBlocked(): Promise<boolean> {
  const { rows } = await blocker.query('select from pg_locks where not granted')
  return rows.length > 0
}

function pass(looks: number): void {
  for (let look = 0; look < looks; look += 1) deadlines.look()
}

const late = { code: 'unavailable', retry: 'transient' }

function expectLate(reply: Reply): void {
  expect([reply.statusCode, reply.json()]).toMatchObject([503, late])
  expect(reply.headers['retry-after']).toBe('1')
}

test('a read that the database does not answer is 503 after five seconds, not earlier', async () => {
  await stall('campaigns', 'access exclusive')
  const asked = organization.owner.get('/campaigns')
  await msUntil(isBlocked)
  pass(looksOfLimit)
  expect(deadlines.running).toBe(1)
  pass(1)
  expectLate(await asked)
  // Queries that still wait in the database keep their slots.
  expect([deadlines.running, world.services.limits.admission.taken]).toEqual([0, 1])
  await goOn()
  await msUntil(() => world.services.limits.admission.taken === 0)
  expect((await organization.owner.get('/campaigns')).statusCode).toBe(200)
})

test('a credential that cannot be checked is 503 as well', async () => {
  const viewer = await organization.as('viewer')
  await stall('sessions', 'access exclusive')
  const asked = viewer.get('/campaigns')
  await msUntil(isBlocked)
  pass(looksOfLimit + 1)
  expectLate(await asked)
  await goOn()
  await msUntil(() => world.services.limits.admission.taken === 0)
})

test('a write happens entirely or not at all: queued ones never, sent ones as their key shows', async () => {
  const { owner } = organization
  const create = (name: string) => owner.post('/templates', { name }, { 'idempotency-key': name })
  await stall('audit_logs', 'share')
  const first = create('sent')
  await msUntil(isBlocked)
  const second = create('in line')
  await msUntil(() => deadlines.running === 2)
  pass(looksOfLimit + 1)
  for (const reply of await Promise.all([first, second])) expectLate(reply)
  expect((await create('sent')).json()).toMatchObject({ code: 'idempotency_in_progress' })
  await goOn()
  await msUntil(() => world.services.limits.admission.taken === 0)
  const names = async () =>
    (await owner.get('/templates')).json().data.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['sent'])
  const again = await create('sent')
  expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect((await create('in line')).statusCode).toBe(201)
  expect((await names()).sort()).toEqual(['in line', 'sent'])
})

test('a body may arrive slowly', async () => {
  const port = Number(new URL(await listen(world.app)).port)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const body = JSON.stringify({ name: 'slowly' })
  const head = [
    'POST /api/v1/templates HTTP/1.1',
    'host: x',
    `authorization: Bearer ${organization.owner.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await msUntil(() => world.services.limits.uploads.taken > 0)
  pass(10 * looksOfLimit)
  socket.write(body.slice(5))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /)
})

test('only requests that wait for others, change very much or stream may take longer', () => {
  const endpoints = features.flatMap((feature) => feature.endpoints)
  const unhurried = endpoints.filter((each) => each.unhurried).map(({ operation }) => operation)
  expect(unhurried.sort()).toEqual([
    'checkProxy',
    'resetSandbox',
    'takeOverCampaigns',
    'testSso',
    'verifySsoDomain',
  ])
})

test('an export continues as long as its client reads', async () => {
  await stall('audit_logs', 'access exclusive')
  const asked = organization.owner.get('/audit_logs/export?format=ndjson')
  await msUntil(isBlocked)
  pass(10 * looksOfLimit)
  await goOn()
  expect((await asked).statusCode).toBe(200)
})

test('the deadline applies without any other activity', async () => {
  const soon = openDeadlines({ limitMs: 20, everyMs: 10 })
  const timed = { looks: 0, isLate: false }
  await expect(soon.within(timed, () => new Promise(() => {}))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(timed.isLate).toBe(true)
  expect(await soon.within({ looks: 0, isLate: false }, async () => 'done')).toBe('done')
  expect(soon.running).toBe(0)
  soon.close()
})
