import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type NameServer,
  nameServer,
  type Zone,
} from '../../../test/support/machines/name-server.ts'
import { type Client, faultsOf, openWorld, type World } from '../../../test/support/world.ts'
import { askNameServers } from '../../egress/resolver.ts'
import type { Services } from '../../kernel/context.ts'

let world: World
/** As for a developer: plain http, and a receiver on this machine. */
let development: World

beforeAll(async () => {
  const env = { FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true', FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8' }
  world = await openWorld({ env: { FLIGHTDECK_CAPS: 'webhook_endpoints=2' } })
  development = await openWorld({ env })
})
afterAll(async () => {
  await world.close()
  await development.close()
})

const url = 'https://example.com/hooks'

const created = async (client: Client, body: object = {}) =>
  (await client.post('/webhook_endpoints', { url, ...body })).json()

const rowsFor = (table: string, organizationId: string) =>
  world.services.database.reader.query<Record<string, unknown>>({
    sql: `select * from ${table} where organization_id = $1`,
    parameters: [organizationId],
  })

describe('creating', () => {
  test('an endpoint gets all events by default, and shows its secret once', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/webhook_endpoints', { url })
    expect(reply.statusCode).toBe(201)
    expect(reply.headers['cache-control']).toBe('no-store')
    const { secret, ...endpoint } = reply.json()
    expect(reply.headers.location).toBe(`/api/v1/webhook_endpoints/${endpoint.id}`)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toMatchObject({
      url,
      events: ['*'],
      description: null,
      metadata: {},
      status: 'enabled',
      disabled_reason: null,
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      secret_hint: secret.slice(-4),
      version: 1,
    })
    expect((await owner.get(`/webhook_endpoints/${endpoint.id}`)).json()).toEqual(endpoint)
    expect((await owner.get('/webhook_endpoints')).json().data).toEqual([endpoint])
  })

  test('the secret is readable in no table and no log line', async () => {
    const { id, owner } = await world.organization()
    const headers = { 'idempotency-key': 'k' }
    const { secret } = (await owner.post('/webhook_endpoints', { url }, headers)).json()
    const tables = ['webhook_endpoints', 'audit_logs', 'events', 'idempotency_keys']
    const rows = await Promise.all(tables.map((table) => rowsFor(table, id)))
    const kept = JSON.stringify([rows, world.logged])
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(secret.slice('whsec_'.length))
  })

  test('a replay shows no secret', async () => {
    const { id, owner } = await world.organization()
    const send = () => owner.post('/webhook_endpoints', { url }, { 'idempotency-key': 'k' })
    const [first, second] = [(await send()).json(), await send()]
    expect(second.statusCode).toBe(201)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.json()).toEqual({ ...first, secret: null })
    expect(await rowsFor('webhook_endpoints', id)).toHaveLength(1)
  })

  test('a URL outside ASCII is stored in ASCII, as it is sent', async () => {
    const { owner } = await world.organization()
    const target = async (url: string) => (await created(owner, { url })).url
    expect(await target('https://bücher.example/häuser?ort=köln#oben')).toBe(
      'https://xn--bcher-kva.example/h%C3%A4user?ort=k%C3%B6ln',
    )
    const { id, ...kept } = await created(owner, { url: 'https://Example.com/a%20b' })
    expect(kept.url).toBe('https://Example.com/a%20b')
    const moved = await owner.patch(`/webhook_endpoints/${id}`, { url: 'https://пример.example/' })
    expect(moved.json().url).toBe('https://xn--e1afmkfd.example/')
    const long = await owner.post('/webhook_endpoints', {
      url: `https://example.com/${'ü'.repeat(400)}`,
    })
    expect([long.statusCode, faultsOf(long)]).toEqual([422, ['/url too_long']])
  })

  test('events are known names, all of a resource, or all', async () => {
    const { owner } = await world.organization()
    const events = ['campaign.*', 'profile.updated', 'webhook_endpoint.deleted']
    expect(await created(owner, { events })).toMatchObject({ events })
    const reply = await owner.post('/webhook_endpoints', { url, events: ['campaign.pausd', 'x.*'] })
    expect(faultsOf(reply)).toEqual(['/events/0 unknown_event', '/events/1 unknown_event'])
    const [first] = reply.json().errors
    expect(first.message).toContain('campaign.paused')
    expect(first.allowed).toEqual(expect.arrayContaining(['*', 'campaign.*', 'template.created']))
  })

  test('all faults are reported at once', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/webhook_endpoints', {
      url: 'https://10.0.0.1/',
      events: ['nope.created'],
      description: 'd'.repeat(501),
      secret: 'whsec_mine',
      status: 'disabled',
      colour: 'red',
    })
    expect(faultsOf(reply).sort()).toEqual([
      '/colour unknown_field',
      '/description too_long',
      '/events/0 unknown_event',
      '/secret read_only_field',
      '/status read_only_field',
      '/url forbidden_host',
    ])
  })

  const refused = [
    ['http://example.com/', 'invalid_format'],
    ['ftp://example.com/', 'invalid_format'],
    ['javascript:alert(1)', 'invalid_format'],
    ['example.com/hooks', 'invalid_format'],
    ['https://', 'invalid_format'],
    ['https://exa mple.com/', 'invalid_format'],
    ['https://-example.com/', 'invalid_format'],
    ['https://example.com:0/', 'invalid_format'],
    ['https://user:pass@example.com/', 'forbidden_host'],
    ['https://user@example.com/', 'forbidden_host'],
    ['https://localhost/', 'forbidden_host'],
    ['https://127.0.0.1/', 'forbidden_host'],
    ['https://0x7f.1/', 'forbidden_host'],
    ['https://[::ffff:10.0.0.1]/', 'forbidden_host'],
    ['https://169.254.169.254/latest', 'forbidden_host'],
    ['https://metadata.google.internal./', 'forbidden_host'],
  ] as const

  test.each(refused)('%s is refused as %s', async (url, code) => {
    const { owner } = await world.organization()
    expect(faultsOf(await owner.post('/webhook_endpoints', { url }))).toEqual([`/url ${code}`])
  })

  test('an address of this machine, or a port of a database, is forbidden', async () => {
    const own = new Set(['93.184.216.34'])
    const resolve = async (name: string) => (name === 'own.test' ? [...own] : ['93.184.216.35'])
    const alter = (services: Services) => ({
      ...services,
      egress: { ...services.egress, ownAddresses: () => own },
    })
    const strict = await openWorld({ resolve, alter })
    onTestFinished(strict.close)
    const { owner } = await strict.organization()
    for (const host of ['93.184.216.34', 'own.test', 'other.test:6379', '93.184.216.35:25']) {
      const reply = await owner.post('/webhook_endpoints', { url: `https://${host}/a` })
      expect([host, faultsOf(reply)]).toEqual([host, ['/url forbidden_host']])
    }
    expect(await created(owner, { url: 'https://other.test:8443/a' })).toHaveProperty('id')
  })

  test('the host of the public URL is forbidden, wherever it leads', async () => {
    const env = { FLIGHTDECK_PUBLIC_URL: 'https://Ads.example.com' }
    const resolve = async () => ['93.184.216.34']
    const named = await openWorld({ env, resolve })
    onTestFinished(named.close)
    const { owner } = await named.organization()
    for (const host of ['ads.example.com', 'ADS.example.com.:8443']) {
      const reply = await owner.post('/webhook_endpoints', { url: `https://${host}/a` })
      expect([host, faultsOf(reply)]).toEqual([host, ['/url forbidden_host']])
    }
    expect(await created(owner, { url: 'https://hooks.example.com/a' })).toHaveProperty('id')
  })

  test('a name that does not resolve is accepted, and a fragment is dropped', async () => {
    const { owner } = await world.organization()
    const reply = await created(owner, { url: 'https://nowhere.invalid:8443/a?b=c#d' })
    expect(reply.url).toBe('https://nowhere.invalid:8443/a?b=c')
  })

  test('http and allowed subnets are for development, metadata addresses never allowed', async () => {
    const { owner } = await development.organization()
    const reply = await created(owner, { url: 'http://127.0.0.1:9999/hook' })
    expect(reply.url).toBe('http://127.0.0.1:9999/hook')
    expect(await created(owner, { url: 'http://localhost:9999/' })).toHaveProperty('id')
    const metadata = await owner.post('/webhook_endpoints', { url: 'http://169.254.169.254/' })
    expect(faultsOf(metadata)).toEqual(['/url forbidden_host'])
  })

  test('the cap is exact', async () => {
    const { owner } = await world.organization()
    await created(owner)
    await created(owner)
    const full = await owner.post('/webhook_endpoints', { url })
    expect(full.json()).toMatchObject({ code: 'limit_exceeded', resource: 'webhook_endpoints' })
  })
})

const answers: Record<string, readonly string[]> = {
  'private.test': ['10.0.0.1'],
  'half.test': ['93.184.216.34', '127.0.0.1'],
  'other-half.test': ['93.184.216.34', 'fd00::1'],
  'mapped.test': ['::ffff:10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'public.test': ['93.184.216.34', '2606:2800:220:1::1'],
  'opened.test': ['10.9.0.1'],
}

const zone: Zone = (name, count) => {
  if (name === 'dead.test') return null
  if (name === 'turning.test') return [count === 1 ? '93.184.216.34' : '10.0.0.1']
  return answers[name] ?? []
}

describe('the name of a new endpoint is resolved', () => {
  let server: NameServer
  let resolving: World

  beforeAll(async () => {
    server = await nameServer(zone)
    const resolve = askNameServers([server.address])
    resolving = await openWorld({ resolve, env: { FLIGHTDECK_EGRESS_ALLOW: '10.9.0.0/16' } })
  })
  afterAll(async () => {
    await resolving.close()
    server.close()
  })

  const names = ['private.test', 'half.test', 'other-half.test', 'mapped.test', 'metadata.test']

  test.each(names)('and %s refused, without revealing its addresses', async (name) => {
    const { owner, id } = await resolving.organization()
    for (const query of ['', '?validate_only=true']) {
      const reply = await owner.post(`/webhook_endpoints${query}`, { url: `https://${name}/a` })
      expect([reply.statusCode, faultsOf(reply)]).toEqual([422, ['/url forbidden_host']])
      for (const address of answers[name] ?? []) expect(reply.body).not.toContain(address)
    }
    expect(await rowsFor('webhook_endpoints', id)).toEqual([])
  })

  test('together with all other faults', async () => {
    const { owner } = await resolving.organization()
    const body = { url: 'https://private.test/', events: ['x.y'], colour: 'red' }
    expect(faultsOf(await owner.post('/webhook_endpoints', body)).sort()).toEqual([
      '/colour unknown_field',
      '/events/0 unknown_event',
      '/url forbidden_host',
    ])
  })

  test('and accepted when its addresses are public or allowed, or there are none', async () => {
    const { owner } = await resolving.organization()
    for (const name of ['public.test', 'opened.test', 'nowhere.test']) {
      expect(await created(owner, { url: `https://${name}/` })).toHaveProperty('secret')
    }
  })

  test('for two seconds: a name without an answer by then is accepted', async () => {
    const { owner } = await resolving.organization()
    const began = performance.now()
    expect(await created(owner, { url: 'https://dead.test/' })).toHaveProperty('secret')
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('on every request, but an accepted one is replayed under its key', async () => {
    const { owner } = await resolving.organization()
    const send = (key: string) =>
      owner.post('/webhook_endpoints', { url: 'https://turning.test/' }, { 'idempotency-key': key })
    const [first, second, third] = [await send('a'), await send('a'), await send('b')]
    expect(second.json()).toEqual({ ...first.json(), secret: null })
    expect([first, second, third].map(({ statusCode }) => statusCode)).toEqual([201, 201, 422])
  })

  test('also when the URL of an endpoint changes, and not when it stays', async () => {
    const { owner } = await resolving.organization()
    const { id } = await created(owner, { url: 'https://public.test/' })
    const patch = (url: string) => owner.patch(`/webhook_endpoints/${id}`, { url })
    expect(faultsOf(await patch('https://private.test/'))).toEqual(['/url forbidden_host'])
    expect((await patch('https://public.test/other')).json().version).toBe(2)
  })

  test('only when the rest of the URL is acceptable', async () => {
    const { owner } = await resolving.organization()
    const asked = server.questions.length
    for (const url of ['http://public.test/', 'https://me@public.test/', 'https://10.0.0.1/']) {
      expect((await owner.post('/webhook_endpoints', { url })).statusCode).toBe(422)
    }
    expect(server.questions).toHaveLength(asked)
  })
})

test('a deletion makes one audit record and one event', async () => {
  const { id: organizationId, owner } = await world.organization()
  const { id } = await created(owner)
  const stale = await owner.delete(`/webhook_endpoints/${id}`, { 'if-match': '"2"' })
  expect(stale.statusCode).toBe(412)
  expect((await owner.delete(`/webhook_endpoints/${id}`)).statusCode).toBe(204)
  expect((await owner.delete(`/webhook_endpoints/${id}`)).statusCode).toBe(404)
  const types = (await rowsFor('events', organizationId)).map(({ type }) => type)
  expect(types.filter((type) => type === 'webhook_endpoint.deleted')).toHaveLength(1)
  const actions = (await rowsFor('audit_logs', organizationId)).map(({ action }) => action)
  expect(actions.filter((action) => action === 'webhook_endpoint.deleted')).toHaveLength(1)
})

test('lists are filtered by status and part of the URL', async () => {
  const { owner } = await world.organization()
  await created(owner, { url: 'https://one.example.com/' })
  await created(owner, { url: 'https://two.example.com/' })
  const urls = async (query: string) =>
    (await owner.get(`/webhook_endpoints?${query}`))
      .json()
      .data.map((each: { url: string }) => each.url)
  expect(await urls('q=ONE')).toEqual(['https://one.example.com/'])
  expect(await urls('status=disabled')).toEqual([])
  expect(await urls('status=enabled&sort=created_at')).toHaveLength(2)
  expect((await owner.get('/webhook_endpoints?sort=name')).statusCode).toBe(400)
})

test('only owners and admins see or write endpoints', async () => {
  const organization = await world.organization()
  const { id } = await created(organization.owner)
  const admin = await organization.as('admin')
  expect((await admin.get(`/webhook_endpoints/${id}`)).statusCode).toBe(200)
  for (const role of ['editor', 'viewer', 'auditor'] as const) {
    const client = await organization.as(role)
    const refused = [
      await client.get('/webhook_endpoints'),
      await client.get(`/webhook_endpoints/${id}`),
      await client.post('/webhook_endpoints', { url }),
      await client.delete(`/webhook_endpoints/${id}`),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
  }
})

test('another organization finds nothing, as if it did not exist', async () => {
  const [{ owner }, stranger] = [await world.organization(), await world.organization()]
  const { id } = await created(owner)
  expect((await stranger.owner.get(`/webhook_endpoints/${id}`)).statusCode).toBe(404)
  expect((await stranger.owner.delete(`/webhook_endpoints/${id}`)).statusCode).toBe(404)
  expect((await stranger.owner.get('/webhook_endpoints')).json().data).toEqual([])
})

test('every event type of a change can be subscribed to', async () => {
  const { id, owner } = await world.organization()
  await created(owner)
  const profile_id = (await owner.post('/profiles', { name: 'P' })).json().id
  const body = { name: 'A', objective: 'sales', profile_id, daily_budget: 5, currency: 'USD' }
  const campaign = (await owner.post('/campaigns', body)).json()
  for (const action of ['launch', 'pause', 'resume', 'complete', 'archive', 'unarchive']) {
    await owner.post(`/campaigns/${campaign.id}/${action}`)
  }
  await owner.delete(`/campaigns/${campaign.id}`)
  await owner.delete(`/profiles/${profile_id}`)
  const resources = /^(campaign|profile|webhook_endpoint)\./
  const types = (await rowsFor('events', id)).map(({ type }) => String(type))
  const reported = types.filter((type) => resources.test(type))
  expect(reported.length).toBeGreaterThan(9)
  expect(reported.filter((type) => !world.services.declared.eventTypes.includes(type))).toEqual([])
})
