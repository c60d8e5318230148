import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admissionControl } from '../../src/limits/admission.ts'
import { listen } from '../support/event-stream.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { TestOrganization } from '../support/world.ts'

const metricsToken = 'scrape-me'
const room = admissionControl({
  most: 100,
  perTenantBeforeQueueing: 2,
  running: { most: 2, patienceMs: 500 },
})
let world: OwnWorld
let url: string
let busy: TestOrganization
let calm: TestOrganization
let blocker: pg.Client
let asked: Promise<Response>[]

/** Uses all running slots: reads of a campaign wait for a lock. */
beforeAll(async () => {
  const env = {
    FLIGHTDECK_METRICS_TOKEN: metricsToken,
    FLIGHTDECK_CORS_ORIGINS: 'https://console.test',
  }
  world = await openOwnWorld({
    env,
    alter: (services) => ({
      ...services,
      limits: { ...services.limits, admission: room },
    }),
  })
  url = await listen(world.app)
  busy = await world.organization()
  calm = await world.organization()
  // Their credentials are cached, as for clients that came before.
  await Promise.all([busy.owner.get('/limits'), calm.owner.get('/limits')])
  blocker = new pg.Client(world.database.address)
  await blocker.connect()
  await blocker.query('begin; lock table campaigns in access exclusive mode')
  asked = [busy, busy].map((each) => get('/campaigns', {}, each))
  await msUntil(() => room.isFull)
})
afterAll(async () => {
  await world.close()
})

const get = (path: string, headers: Record<string, string> = {}, { owner } = calm) =>
  fetch(`${url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
  })

/** From the framework, which knows the request's organization. */
const injected = async (path: string) => (await calm.owner.get(path)).json()

test('a request with a credential is refused, with the usual answer', async () => {
  const reply = await get('/organization?include=%zz', { 'x-request-id': 'mine' })
  const requestId = reply.headers.get('x-request-id')
  expect(requestId).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  expect([reply.status, Object.fromEntries(reply.headers)]).toEqual([
    503,
    expect.objectContaining({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'retry-after': '1',
    }),
  ])
  const theirs = await injected('/campaigns')
  expect(await reply.json()).toEqual({
    ...theirs,
    instance: '/api/v1/organization',
    request_id: requestId,
  })
})

test('its body is not parsed as the next request', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(100_000) })
  for (let turn = 0; turn < 3; turn += 1) {
    const headers = { authorization: `Bearer ${calm.owner.token}` }
    const reply = await fetch(`${url}/api/v1/templates`, { method: 'POST', headers, body })
    expect([reply.status, await reply.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'overloaded' }),
    ])
  }
})

test('a browser may read the answer', async () => {
  const reply = await get('/campaigns', { origin: 'https://console.test' })
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([
    503,
    'https://console.test',
  ])
})

test('requests without a credential are served: logins, pages, probes', async () => {
  const statuses = ['/api/v1/organization', '/livez', '/problems/overloaded'].map(
    async (path) => (await fetch(`${url}${path}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([401, 200, 200])
})

test('refusals are counted, and summed up in the log', async () => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = async () => (await fetch(`${url}/metrics`, { headers })).text()
  const of = (series: string, all: string) => Number(all.split(`${series} `)[1]?.split('\n')[0])
  const requests = 'flightdeck_http_requests_total{method="any",route="/api/v1/*",status="503"}'
  const refusals = 'flightdeck_requests_refused_total{reason="overloaded"}'
  const before = await text()
  await Promise.all(Array.from({ length: 20 }, () => get('/campaigns')))
  const after = await text()
  for (const series of [requests, refusals]) expect(of(series, after) - of(series, before)).toBe(20)
  const reported = world.logged.filter(({ msg }) => String(msg).includes('requests are refused'))
  expect(reported).toHaveLength(1)
})

test('service resumes once the running requests end', async () => {
  await blocker.end()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
  expect((await get('/campaigns')).status).toBe(200)
})
