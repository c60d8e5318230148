import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodsOf } from '../../src/http/endpoint.ts'
import { ssoBody } from '../support/cases/people/sso-cases.ts'
import { missingPath } from '../support/cases/unknown-ids.ts'
import { plainCreations } from '../support/cases/write-cases.ts'
import { giveMail, scheduleBody } from '../support/client-cases.ts'
import { endpoints, watch } from '../support/documented.ts'
import { type Client, openWorld, type Reply, unlimited, type World } from '../support/world.ts'

const paths = [...new Set(endpoints.map(({ path }) => path))].map((path) => {
  const methods = endpoints.filter((each) => each.path === path).flatMap(methodsOf)
  const url = missingPath(path)
  return { path, url, methods: [...new Set(methods)].sort() as string[] }
})
const reading = endpoints
  // Connectors alone may use theirs, and what needs no credential is of no plan.
  .filter(
    (endpoint) =>
      methodsOf(endpoint).includes('GET') &&
      endpoint.permission !== null &&
      !endpoint.path.startsWith('/connector/'),
  )
  .map(({ path, noStore }) => ({ path, noStore: noStore ?? false }))

let world: World
let owner: Client
/** An id of each collection, for paths with one. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  const organization = await world.organization({ sandbox: true })
  owner = organization.owner
  const made = async (path: string, body: object) => {
    ids[path] = (await owner.post(path, body)).json().id
  }
  ids['/members'] = owner.userId
  await owner.put('/organization/sso', ssoBody('acme.example'))
  await made('/api_keys', { name: 'A', role: 'editor', agent: { apply: 'never' } })
  await made('/profiles', { name: 'A', currency: 'USD' })
  const fields = { objective: 'sales', profile_id: ids['/profiles'], daily_budget: 5 }
  await made('/campaigns', { name: 'A', ...fields })
  await owner.put(`/campaigns/${ids['/campaigns']}/deployment`, { mode: 'create' })
  const operations = [{ op: 'update', id: ids['/campaigns'], body: { name: 'B' } }]
  await made('/change_sets', { title: 'A', operations })
  await made('/proxies', { protocol: 'http', host: 'a.test', port: 8080 })
  for (const { path, body } of plainCreations) await made(path, body)
  const frozen = await owner.post(`/reports/${ids['/reports']}/snapshots`)
  ids['/reports/:id/snapshots'] = frozen.json().id
  giveMail(world.services)
  const scheduled = await owner.post(`/reports/${ids['/reports']}/schedules`, scheduleBody)
  ids['/reports/:id/schedules'] = scheduled.json().id
  const tested = await owner.post(`/webhook_endpoints/${ids['/webhook_endpoints']}/test`)
  ids['/webhook_endpoints/:id/deliveries'] = tested.json().id
  ids['/events'] = (await owner.get('/events?limit=1')).json().data[0].id
})
afterAll(() => world.close())

const urlOf = (path: string) =>
  path.replaceAll(/\/:\w+/g, (_, at: number) => `/${ids[path.slice(0, at)] ?? ''}`)

describe('a method that a path lacks is 405 with Allow, before any credential is checked', () => {
  test.each(paths)('$path', async ({ url, methods }) => {
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'].sort() : methods
    const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
    for (const method of all.filter((it) => !allowed.includes(it))) {
      const reply = await world.anonymous.call({ method: method as 'GET', url })
      expect([method, reply.statusCode]).toEqual([method, 405])
      expect(reply.headers.allow).toBe(allowed.join(', '))
      if (method !== 'HEAD') expect(reply.json().code).toBe('method_not_allowed')
    }
  })
})

test('methods that the seed does not offer are 405', async () => {
  for (const [method, url] of [
    ['PUT', `/webhook_endpoints/${ids['/webhook_endpoints']}`],
    ['DELETE', '/audit_logs'],
    ['PUT', '/audit_logs'],
    ['POST', '/audit_logs'],
  ] as const) {
    expect((await owner.call({ method, url })).statusCode).toBe(405)
  }
})

describe('HEAD answers like GET, without the body', () => {
  test.each(reading)('$path', async ({ path }) => {
    const [got, head] = [
      await owner.get(urlOf(path)),
      await owner.call({ method: 'HEAD', url: urlOf(path) }),
    ]
    expect([head.statusCode, head.body]).toEqual([got.statusCode, ''])
    expect(got.statusCode).toBe(200)
    const same = ['content-type', 'etag', 'cache-control', 'vary', 'link', 'ratelimit-policy']
    for (const name of same) expect([name, head.headers[name]]).toEqual([name, got.headers[name]])
  })
})

const counted = (limit: number) => ({
  'ratelimit-policy': `"plan";q=${limit};w=60`,
  ratelimit: expect.stringMatching(/^"plan";r=\d+;t=\d+$/),
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
  'x-ratelimit-reset': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
})

function expectCounted(reply: Reply): void {
  const { ratelimit, ...headers } = reply.headers
  expect(reply.headers).toMatchObject(counted(1_000_000))
  const [remaining, reset] = [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
  expect(ratelimit).toBe(`"plan";r=${remaining};t=${reset}`)
}

describe('every read has caching headers and the remaining limit', () => {
  test.each(reading)('$path', async ({ path, noStore }) => {
    const reply = await owner.get(urlOf(path))
    expectCounted(reply)
    expect(reply.headers).toMatchObject({
      'cache-control': noStore ? 'no-store' : 'private, no-cache',
      vary:
        reply.body.length < 1_024 || noStore ? 'Authorization' : 'Authorization, Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    const version =
      /^application\/json/.test(String(reply.headers['content-type'])) && reply.json().version
    if (!version) return
    expect(reply.headers.etag).toBe(`"${version}"`)
    for (const tag of [`"${version}"`, `W/"${version}"`, `"x", "${version}"`, '*']) {
      const kept = await owner.get(urlOf(path), { 'if-none-match': tag })
      expect([tag, kept.statusCode, kept.body]).toEqual([tag, 304, ''])
      expect(kept.headers.etag).toBe(`"${version}"`)
    }
    expect((await owner.get(urlOf(path), { 'if-none-match': '"999"' })).statusCode).toBe(200)
  })
})

test('refusals count against the limit, unless they precede the credential check', async () => {
  expectCounted(await owner.get('/campaigns/x'))
  expectCounted(await owner.post('/campaigns', {}))
  expectCounted(await owner.get('/campaigns?limit=0'))
  const unseen = [
    await owner.call({ method: 'PUT', url: '/campaigns' }),
    await owner.get('/nowhere'),
    await world.anonymous.get('/campaigns'),
    await world.anonymous.post('/auth/login', {}),
    await world.anonymous.get('/api/v1/openapi.json'),
  ]
  for (const reply of unseen) expect(reply.headers).not.toHaveProperty('ratelimit')
})

test('an unknown address is a 404 problem with a request id', async () => {
  for (const url of ['/nowhere', '/campaigns/', '//campaigns', '/Campaigns', '/campaigns/a/b/c']) {
    const reply = await owner.get(url)
    expect([url, reply.statusCode, reply.json().code]).toEqual([url, 404, 'not_found'])
    expect(reply.json().request_id).toBe(reply.headers['x-request-id'])
  }
  const long = await owner.get(`/campaigns?q=${'a'.repeat(8192)}`)
  expect([long.statusCode, long.json().code]).toEqual([414, 'uri_too_long'])
})

test('the server generates the request id, whatever the client sends', async () => {
  const mine = 'req_01m7yez275fk1a52pr5qevn8kn'
  const reply = await owner.get('/organization', { 'x-request-id': mine, 'request-id': mine })
  expect(reply.headers['x-request-id']).not.toBe(mine)
})
