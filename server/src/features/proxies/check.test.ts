import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { execute, rowsOf } from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import { deafPort } from '../../../test/support/machines/ports.ts'
import {
  openHttpProxy,
  openRawProxy,
  openSocksProxy,
} from '../../../test/support/machines/proxies.ts'
import { openReceiver, type Receiver } from '../../../test/support/machines/receiver.ts'
import {
  type Client,
  openWorld,
  type Reply,
  type TestOrganization,
  type World,
} from '../../../test/support/world.ts'

let world: World
let behind: Receiver

beforeAll(async () => {
  behind = await openReceiver()
  const env = { FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8', FLIGHTDECK_PROXY_CHECK_URL: behind.url }
  world = watch(await openWorld({ env }))
})
afterAll(async () => {
  await world.close()
  await behind.close()
})
beforeEach(() => echo())

const secrets = { username: 'uma-the-user', password: 'hunter2-very-secret' }
const reported = 'the proxy or the check URL answered 503'

const echo = () => behind.answer((_, response) => void response.end('{"ip":"203.0.113.7"}'))

type ProxySettings = Parameters<typeof openHttpProxy>[0]

/** A working proxy of the organization. */
async function proxyOf(
  { owner }: TestOrganization,
  body: object = {},
  settings: ProxySettings = {},
) {
  const { protocol = 'http' } = body as { protocol?: string }
  const opened = await (protocol === 'http' ? openHttpProxy(settings) : openSocksProxy(settings))
  onTestFinished(opened.close)
  const { host, port, asked } = opened
  const id = await made(owner, '/proxies', { protocol, host, port, ...body })
  return { id, asked }
}

const check = (client: Client, id: string, headers = {}): Promise<Reply> =>
  client.post(`/proxies/${id}/check`, undefined, headers)

async function checks(owner: Client, id: string, course: string): Promise<string[]> {
  const statuses: string[] = []
  for (const each of course) {
    if (each === '+') echo()
    else behind.answer(503)
    statuses.push((await check(owner, id)).json().status)
  }
  return statuses
}

const ledgerOf = async (organization: TestOrganization) => ({
  records: (await rowsOf(world, 'audit_logs', organization)).map(({ action }) => action),
  events: (await rowsOf(world, 'events', organization)).map(({ type }) => type),
})

const proxyNow = async (owner: Client, id: string) => {
  const reply = await owner.get(`/proxies/${id}`)
  return { ...reply.json(), etag: reply.headers.etag }
}

describe('a manual check', () => {
  test.each(['http', 'socks5'])('goes through the proxy, of %s, and says so', async (protocol) => {
    const organization = await world.organization()
    const body = { protocol, ...secrets }
    const { id, asked } = await proxyOf(organization, body, { credentials: secrets })
    const reply = await check(organization.owner, id)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      id,
      status: 'healthy',
      username: secrets.username,
      has_password: true,
      version: 1,
      last_check: {
        at: world.clock.now().toISOString(),
        ok: true,
        latency_ms: expect.any(Number),
        egress_ip: '203.0.113.7',
        error: null,
      },
    })
    expect(reply.headers.etag).toBe('"1"')
    const address = behind.url.slice('http://'.length).split('/')[0]
    expect(asked).toEqual([protocol === 'http' ? `GET ${behind.url}` : `CONNECT ${address}`])
    expect((await organization.owner.get(`/proxies/${id}`)).json()).toEqual(reply.json())
  })

  test('answers 200 also when the proxy is dead, with the reason', async () => {
    const organization = await world.organization()
    const { id } = await proxyOf(organization, { port: deafPort })
    const reply = await check(organization.owner, id)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      status: 'degraded',
      last_check: {
        ok: false,
        latency_ms: null,
        egress_ip: null,
        error: 'the proxy refused the connection',
      },
    })
  })

  test('changes the status only after repeated results, and makes an event only then', async () => {
    const organization = await world.organization()
    const { id } = await proxyOf(organization)
    const before = await ledgerOf(organization)
    const statuses = await checks(organization.owner, id, '+---+-++')
    expect(statuses.map((status) => status[0]).join('')).toBe('hddffffh')
    const { records, events } = await ledgerOf(organization)
    const moved = 'proxy.health_changed'
    const kept = 'proxy.checked'
    expect(events.slice(before.events.length)).toEqual([moved, moved, moved, moved])
    expect(records.slice(before.records.length)).toEqual([
      ...[moved, moved, kept, moved],
      ...[kept, kept, kept, moved],
    ])
  })

  test('changes neither the version nor when and by whom the proxy was changed last', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization)
    const { version, updated_at, updated_by, etag } = await proxyNow(owner, id)
    world.clock.advance(1_000)
    const admin = await organization.as('admin')
    await checks(admin, id, '+---+-++')
    const after = await proxyNow(owner, id)
    expect(after).toMatchObject({ status: 'healthy', version, updated_at, updated_by, etag })
    const headers = { 'if-match': etag }
    expect((await owner.patch(`/proxies/${id}`, { notes: 'n' }, headers)).statusCode).toBe(200)
  })

  test('makes an event with the former status and the user', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization, secrets, { credentials: secrets })
    await checks(owner, id, '+-')
    const [event] = (await owner.get('/events?limit=1')).json().data
    expect(event).toMatchObject({
      type: 'proxy.health_changed',
      actor: { type: 'user', id: owner.userId },
      data: {
        object: { id, status: 'degraded', version: 1, last_check: { ok: false, error: reported } },
        previous: { status: 'healthy', last_check: { ok: true } },
      },
    })
    expect(event.data.object).not.toHaveProperty('username')
  })

  test('of a disabled proxy is recorded, and leaves it disabled', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization, { enabled: false })
    const before = await ledgerOf(organization)
    expect(await checks(owner, id, '---')).toEqual(['disabled', 'disabled', 'disabled'])
    const { version, last_check } = (await owner.get(`/proxies/${id}`)).json()
    expect([version, last_check.error]).toEqual([1, reported])
    expect((await ledgerOf(organization)).events).toEqual(before.events)
    expect((await owner.patch(`/proxies/${id}`, { enabled: true })).json().status).toBe('failing')
  })

  test('starts over once the proxy has another target', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization)
    await checks(owner, id, '---')
    const moved = await owner.patch(`/proxies/${id}`, { username: 'someone else' })
    expect(moved.json()).toMatchObject({ status: 'unchecked', last_check: null })
    expect(await checks(owner, id, '--')).toEqual(['degraded', 'degraded'])
  })

  test('overtaken by a change of the target is not recorded', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization)
    behind.answer(async (_, response) => {
      await owner.patch(`/proxies/${id}`, { port: 9 })
      response.end()
    })
    const reply = await check(owner, id)
    expect(reply.json()).toMatchObject({ status: 'unchecked', last_check: null, port: 9 })
    expect((await ledgerOf(organization)).records.at(-1)).toBe('proxy.checked')
  })

  test('of a proxy that is deleted meanwhile is a 404', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization)
    behind.answer(async (_, response) => {
      await owner.delete(`/proxies/${id}`)
      response.end()
    })
    expect((await check(owner, id)).statusCode).toBe(404)
  })

  test('keeps concurrent changes, and is recorded all the same', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await proxyOf(organization)
    behind.answer(async (_, response) => {
      await owner.patch(`/proxies/${id}`, { notes: 'n', enabled: false })
      response.end()
    })
    const reply = await check(owner, id)
    expect(reply.json()).toMatchObject({ status: 'disabled', notes: 'n', last_check: { ok: true } })
  })

  test('ten at once are ten checks', async () => {
    const organization = await world.organization()
    const { id, asked } = await proxyOf(organization)
    behind.answer(503)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => check(organization.owner, id)),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
    expect(asked).toHaveLength(10)
    const [row] = await rowsOf(world, 'proxies', organization)
    expect(row).toMatchObject({ health: 'failing', consecutive_failures: 10, version: 1 })
  })

  test('repeated with its key connects to nothing, and shows no user name', async () => {
    const organization = await world.organization()
    const { id, asked } = await proxyOf(organization, secrets, { credentials: secrets })
    for (const course of ['+', '+']) {
      const key = { 'idempotency-key': `${course} ${asked.length}` }
      const first = await check(organization.owner, id, key)
      const before = await ledgerOf(organization)
      const again = await check(organization.owner, id, key)
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect(again.json()).toEqual({ ...first.json(), username: null })
      expect(await ledgerOf(organization)).toEqual(before)
    }
    expect(asked).toHaveLength(2)
  })

  test('with another version than the proxy’s connects to nothing', async () => {
    const organization = await world.organization()
    const { id, asked } = await proxyOf(organization)
    expect((await check(organization.owner, id, { 'if-match': '"7"' })).statusCode).toBe(412)
    expect(asked).toEqual([])
    expect((await check(organization.owner, id, { 'if-match': '"1"' })).statusCode).toBe(200)
  })

  test('is not for editors, viewers, auditors or other organizations', async () => {
    const [organization, stranger] = [await world.organization(), await world.organization()]
    const { id, asked } = await proxyOf(organization)
    for (const role of ['editor', 'viewer', 'auditor'] as const) {
      const reply = await check(await organization.as(role), id)
      expect(reply.json()).toMatchObject({ status: 403, required_roles: ['owner', 'admin'] })
    }
    expect((await check(stranger.owner, id)).statusCode).toBe(404)
    expect(asked).toEqual([])
    expect((await check(await organization.as('admin'), id)).statusCode).toBe(200)
  })

  test('does not connect to a host that is no longer allowed', async () => {
    const organization = await world.organization()
    const { id } = await proxyOf(organization)
    await execute(world, 'update proxies set host = $2 where id = $1', [id, '169.254.169.254'])
    const { last_check } = (await check(organization.owner, id)).json()
    expect(last_check.error).toMatch(/^169\.254\.169\.254 is not allowed/)
  })

  test('puts neither user name nor password in any table, event or log line', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const wrong = { username: 'someone', password: 'else' }
    for (const protocol of ['http', 'socks5']) {
      for (const credentials of [secrets, wrong]) {
        const { id } = await proxyOf(organization, { protocol, ...secrets }, { credentials })
        for (const key of ['a', 'b']) await check(owner, id, { 'idempotency-key': key })
      }
    }
    const tables = ['proxies', 'audit_logs', 'events', 'idempotency_keys']
    const rows = await Promise.all(tables.map((table) => rowsOf(world, table, organization)))
    const kept = JSON.stringify([rows, world.logged])
    expect(kept).toContain('proxy authentication failed')
    const basic = Buffer.from(`${secrets.username}:${secrets.password}`).toString('base64')
    for (const secret of [...Object.values(secrets), basic]) expect(kept).not.toContain(secret)
  })
})

test('a proxy read before a check may be written back after it', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id } = await proxyOf(organization)
  await checks(owner, id, '+')
  const read = (await owner.get(`/proxies/${id}`)).json()
  world.clock.advance(1_000)
  await checks(owner, id, '-')
  const written = await owner.put(`/proxies/${id}`, { ...read, notes: 'n' })
  expect(written.json()).toMatchObject({ notes: 'n', status: 'degraded', version: 2 })
  expect(written.json().last_check.at).toBe(world.clock.now().toISOString())
  const made = { ...written.json(), last_check: { ...read.last_check, at: '2999-01-01T00:00:00Z' } }
  const refused = await owner.put(`/proxies/${id}`, made)
  expect(refused.json().errors).toMatchObject([{ pointer: '/last_check', code: 'read_only_field' }])
  const alone = await owner.put(`/proxies/${id}`, { status: 'healthy' })
  expect(alone.json().errors).toMatchObject([{ pointer: '/status', code: 'read_only_field' }])
})

test('a proxy that fails three checks blocks launches, until two succeed', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id } = await proxyOf(organization)
  const profile = await profileOf(organization, { proxy_id: id })
  const campaign = await made(owner, '/campaigns', campaignBody(profile))
  const running = await made(owner, '/campaigns', campaignBody(profile))
  await owner.post(`/campaigns/${running}/launch`)
  await checks(owner, id, '---')
  const refused = await owner.post(`/campaigns/${campaign}/launch`)
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'launch_blocked', blocked_by: ['proxy_failing'] },
  ])
  expect((await owner.get(`/campaigns/${running}`)).json()).toMatchObject({
    status: 'active',
    delivery: { state: 'not_eligible', reasons: ['proxy_failing'] },
  })
  await checks(owner, id, '+')
  expect((await owner.post(`/campaigns/${campaign}/launch`)).statusCode).toBe(409)
  await checks(owner, id, '+')
  expect((await owner.post(`/campaigns/${campaign}/launch`)).json().status).toBe('active')
  expect((await owner.get(`/campaigns/${running}`)).json().delivery.state).toBe('eligible')
})

test('a check holds no lock: others write while a proxy hangs', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const hanging = await openRawProxy()
  onTestFinished(hanging.close)
  const id = await made(owner, '/proxies', {
    protocol: 'http',
    host: '127.0.0.1',
    port: hanging.port,
  })
  const checking = check(owner, id)
  const began = performance.now()
  for (let n = 0; n < 5; n += 1) await made(owner, '/templates', { name: `T${n}` })
  expect(performance.now() - began).toBeLessThan(8_000)
  await hanging.close()
  expect((await checking).json()).toMatchObject({
    last_check: { error: 'the connection was closed before an answer came' },
  })
})
