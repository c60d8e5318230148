import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { made } from '../../../test/support/cases/writes.ts'
import {
  openRawProxy,
  openSocksProxy,
  type TestProxy,
} from '../../../test/support/machines/proxies.ts'
import { openReceiver, type Receiver } from '../../../test/support/machines/receiver.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { checkDueProxies } from './check-job.ts'

let world: OwnWorld
let behind: Receiver
let proxy: TestProxy

// The job is for every organization, so these tests have their own database.
beforeAll(async () => {
  behind = await openReceiver()
  proxy = await openSocksProxy()
  const env = { FLIGHTDECK_EGRESS_ALLOW: '127.0.0.1', FLIGHTDECK_PROXY_CHECK_URL: behind.url }
  world = await openOwnWorld({ env })
})
afterAll(async () => {
  await proxy.close()
  await behind.close()
  await world.close()
})
beforeEach(async () => {
  await world.database.query('delete from proxies')
  behind.answer(200)
  behind.received.length = 0
})

const minutes = 60_000
const add = ({ owner }: TestOrganization, body: object = {}) =>
  made(owner, '/proxies', { protocol: 'socks5', host: '127.0.0.1', port: proxy.port, ...body })
const run = (signal = AbortSignal.timeout(20_000)) => checkDueProxies(world.services, signal)
const stateOf = async (id: string) => {
  const [row] = await world.database.query('select * from proxies where id = $1', [id])
  return row as Record<string, unknown>
}
const eventsOf = ({ id }: TestOrganization) =>
  world.database.query(
    `select type, body::json -> 'actor' as actor, body::json -> 'request_id' as request_id
    from events where organization_id = $1 and type like 'proxy.h%' order by sequence`,
    [id],
  )
const recordsOf = ({ id }: TestOrganization) =>
  world.database.query(
    'select action from audit_logs where organization_id = $1 order by sequence',
    [id],
  )

test('a new proxy is checked within two minutes, and then about every ten', async () => {
  const id = await add(await world.organization())
  expect(await run()).toEqual({ checked: 0, changed: 0, failed: 0 })
  world.clock.advance(2 * minutes)
  expect(await run()).toEqual({ checked: 1, changed: 1, failed: 0 })
  expect(await stateOf(id)).toMatchObject({ health: 'healthy', version: 1 })
  expect(await run()).toEqual({ checked: 0, changed: 0, failed: 0 })
  world.clock.advance(9 * minutes - 1)
  expect(await run()).toEqual({ checked: 0, changed: 0, failed: 0 })
  world.clock.advance(2 * minutes)
  expect(await run()).toEqual({ checked: 1, changed: 0, failed: 0 })
  expect(await stateOf(id)).toMatchObject({
    health: 'healthy',
    version: 1,
    consecutive_successes: 2,
    last_check: { at: world.clock.now().toISOString(), ok: true },
  })
})

test('a status change makes an event of the service; an unchanged status makes none', async () => {
  const organization = await world.organization()
  const id = await add(organization)
  const before = await recordsOf(organization)
  behind.answer(503)
  for (let n = 0; n < 4; n += 1) {
    world.clock.advance(11 * minutes)
    await run()
  }
  expect(await stateOf(id)).toMatchObject({
    health: 'failing',
    consecutive_failures: 4,
    version: 1,
  })
  const actor = { type: 'system', id: null, name: 'proxy checks' }
  const event = { type: 'proxy.health_changed', actor, request_id: null }
  expect(await eventsOf(organization)).toEqual([event, event])
  expect((await recordsOf(organization)).slice(before.length)).toEqual([
    { action: 'proxy.health_changed' },
    { action: 'proxy.health_changed' },
  ])
  const verified = await (await organization.as('owner')).get('/audit_logs/verify')
  expect(verified.json().valid).toBe(true)
})

test('neither disabled proxies nor those of a suspended organization are checked', async () => {
  const [organization, suspended] = [await world.organization(), await world.organization()]
  await add(organization, { enabled: false })
  await add(suspended)
  await world.database.query(`update organizations set status = 'suspended' where id = $1`, [
    suspended.id,
  ])
  world.clock.advance(11 * minutes)
  expect(await run()).toEqual({ checked: 0, changed: 0, failed: 0 })
  await world.database.query(`update organizations set status = 'active' where id = $1`, [
    suspended.id,
  ])
  expect(await run()).toEqual({ checked: 1, changed: 1, failed: 0 })
})

/** Holds all connections until this many wait, then answers them at once. */
function gate(count: number): () => number {
  const waiting: ServerResponse[] = []
  let most = 0
  let underWay = 0
  behind.answer((_, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    response.once('close', () => {
      underWay -= 1
    })
    waiting.push(response)
    if (most === count) for (const each of waiting.splice(0)) each.end()
  })
  return () => most
}

test('many are checked in one run, each once, ten at a time, the longest due first', async () => {
  const organization = await world.organization()
  const ids: string[] = []
  while (ids.length < 250) {
    ids.push(...(await Promise.all(Array.from({ length: 50 }, () => add(organization)))))
  }
  const oldest = ids.slice(200)
  world.clock.advance(3 * minutes)
  const longDue = new Date(world.clock.now().getTime() - 5 * minutes)
  await world.database.query('update proxies set next_check_at = $2 where id = any($1)', [
    oldest,
    longDue,
  ])
  const mostAtOnce = gate(10)
  expect(await run()).toEqual({ checked: 250, changed: 250, failed: 0 })
  expect([behind.received.length, mostAtOnce()]).toEqual([250, 10])
  const reported = await world.database.query<{ id: string }>(
    `select body::json #>> '{data,object,id}' as id from events
    where organization_id = $1 and type = 'proxy.health_changed' order by sequence`,
    [organization.id],
  )
  expect(new Set(reported.map(({ id }) => id))).toEqual(new Set(ids))
  expect(reported.slice(0, 40).filter(({ id }) => !oldest.includes(id))).toEqual([])
  const [spread] = await world.database.query(
    'select count(distinct next_check_at)::int as times from proxies',
  )
  expect(spread?.times).toBeGreaterThan(200)
})

test('a check overtaken by a change is dropped, and repeated at once', async () => {
  const organization = await world.organization()
  const { id: organizationId } = organization
  const id = await add(organization)
  await world.database.query(`update proxies set health = 'healthy'`)
  world.clock.advance(2 * minutes)
  const owner = await organization.as('owner')
  behind.answer(async (_, response) => {
    await owner.patch(`/proxies/${id}`, { notes: 'n' })
    response.end()
  })
  await run()
  expect(await stateOf(id)).toMatchObject({ notes: 'n', last_check: null, version: 2 })
  behind.answer(async (_, response) => {
    await owner.patch(`/proxies/${id}`, { username: 'another' })
    response.writeHead(503).end()
  })
  expect(await run()).toEqual({ checked: 1, changed: 0, failed: 0 })
  expect(await stateOf(id)).toMatchObject({ health: 'unchecked', last_check: null, version: 3 })
  expect(await eventsOf({ ...organization, id: organizationId })).toEqual([])
})

test('a proxy that cannot be decrypted does not block others, and stays due', async () => {
  const organization = await world.organization()
  const [broken, fine] = [await add(organization), await add(organization)]
  await world.database.query(`update proxies set password_sealed = 'nonsense' where id = $1`, [
    broken,
  ])
  world.clock.advance(2 * minutes)
  expect(await run()).toEqual({ checked: 1, changed: 1, failed: 1 })
  expect(await stateOf(fine)).toMatchObject({ health: 'healthy' })
  expect(await run()).toEqual({ checked: 0, changed: 0, failed: 1 })
})

test('a run stops at once on request, and its unfinished checks stay due', async () => {
  const organization = await world.organization()
  const hanging = await openRawProxy()
  for (let n = 0; n < 12; n += 1) await add(organization, { port: hanging.port })
  world.clock.advance(2 * minutes)
  const stopping = new AbortController()
  setTimeout(() => stopping.abort(), 100)
  const began = performance.now()
  expect(await run(stopping.signal)).toEqual({ checked: 0, changed: 0, failed: 0 })
  // A check that hangs has ten seconds.
  expect(performance.now() - began).toBeLessThan(5_000)
  const due = await world.database.query('select from proxies where last_check is null')
  expect(due).toHaveLength(12)
  await hanging.close()
})

test('manual checks during a run count, and the job’s own result is dropped', async () => {
  const organization = await world.organization()
  const id = await add(organization)
  behind.answer(503)
  for (let n = 0; n < 3; n += 1) {
    world.clock.advance(11 * minutes)
    await run()
  }
  expect(await stateOf(id)).toMatchObject({ health: 'failing', consecutive_failures: 3 })
  world.clock.advance(11 * minutes)
  const owner = await organization.as('owner')
  const check = () => owner.post(`/proxies/${id}/check`)
  let requests = 0
  behind.answer(async (_, response) => {
    requests += 1
    if (requests === 1) {
      await check()
      await check()
      world.clock.advance(1)
    }
    response.writeHead(503).end()
  })
  const byHand = world.clock.now().toISOString()
  await run()
  const kept = { health: 'failing', consecutive_failures: 5, last_check: { at: byHand } }
  expect([requests, await stateOf(id)]).toMatchObject([3, kept])
})
