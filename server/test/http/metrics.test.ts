import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createBackup } from '../../src/backup/create.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import { conditionCountsSql, conditionsOf } from '../../src/observability/conditions.ts'
import { queueDepths } from '../../src/observability/queue-depths.ts'
import { made } from '../support/cases/writes.ts'
import { endpointOf, makeEvents } from '../support/deliveries.ts'
import { listen, openStream } from '../support/event-stream.ts'
import { backgroundOf } from '../support/machines/background.ts'
import { openReceiver, type Receiver } from '../support/machines/receiver.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { openWorld, type World } from '../support/world.ts'

const token = 'scrape-me'
const env = {
  FLIGHTDECK_METRICS_TOKEN: token,
  FLIGHTDECK_PLAN_LIMITS: 'free=3',
  FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
  FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
}
let world: OwnWorld
let receiver: Receiver

beforeAll(async () => {
  world = await openOwnWorld({ env })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await world.close()
})

const headers = { authorization: `Bearer ${token}` }

/** Values by series, as a scraper reads them. */
async function scraped({ app }: Pick<World, 'app'> = world): Promise<Map<string, number>> {
  const { body } = await app.inject({ url: '/metrics', headers })
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

const value = async (series: string) => (await scraped()).get(series)

const names = [
  'flightdeck_http_requests_total',
  'flightdeck_http_request_duration_seconds',
  'flightdeck_http_requests_in_flight',
  'flightdeck_requests_refused_total',
  'flightdeck_storage_refusals_total',
  'flightdeck_storage_warnings_total',
  'flightdeck_database_pool_connections',
  'flightdeck_database_pool_waiting',
  'flightdeck_deliveries_total',
  'flightdeck_deliveries_pending',
  'flightdeck_deliveries_oldest_pending_seconds',
  'flightdeck_jobs_pending',
  'flightdeck_event_streams_open',
  'flightdeck_webhook_endpoints_stalled',
  'flightdeck_ready',
  'flightdeck_limits_fallback',
  'flightdeck_writes_failing',
  'flightdeck_writes_refused_total',
  'flightdeck_proxies_failing',
  'flightdeck_webhook_endpoints_given_up',
  'flightdeck_audit_chain_broken',
  'flightdeck_task_last_success_timestamp_seconds',
  'flightdeck_citus_shards',
  'flightdeck_due_oldest_seconds',
  'flightdeck_work_last_success_timestamp_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds',
  'process_cpu_seconds_total',
]

test.each(['all', 'api', 'worker'] as const)(
  'role %s exposes every metric from the start',
  async (role) => {
    const logger = pino({ level: 'silent' })
    const app = await buildApp({ services: world.services, logger, role })
    const { body } = await app.inject({ url: '/metrics', headers })
    const known = [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    expect(new Set(known).size).toBe(known.length)
  },
)

describe('requests', () => {
  test('are counted by method, pattern and status, and unknown paths together', async () => {
    const { owner } = await world.organization()
    for (const id of ['cmp_1', 'cmp_2', 'cmp_3']) await owner.get(`/campaigns/${id}`)
    for (const path of ['/one', '/two', '/api/v1/three']) await world.app.inject(path)
    await owner.get('/campaigns?q=hush')
    const all = await scraped()
    const of = (labels: string) => all.get(`flightdeck_http_requests_total{${labels}}`)
    expect(of('method="GET",route="/api/v1/campaigns/:id",status="404"')).toBe(3)
    expect(of('method="GET",route="none",status="404"')).toBe(3)
    expect(of('method="GET",route="/api/v1/campaigns",status="200"')).toBe(1)
    expect([...all.keys()].join()).not.toMatch(/cmp_|hush|three/)
    const duration = 'flightdeck_http_request_duration_seconds'
    const labels = 'method="GET",route="/api/v1/campaigns/:id"'
    expect(all.get(`${duration}_count{${labels}}`)).toBe(3)
    expect(all.get(`${duration}_bucket{${labels},le="+Inf"}`)).toBe(3)
    expect(all.get(`${duration}_bucket{${labels},le="0.001"}`)).toBeLessThanOrEqual(3)
    expect(all.get(`${duration}_sum{${labels}}`)).toBeGreaterThan(0)
  })

  test('that are refused are counted by reason', async () => {
    const { owner } = await world.organization({ plan: 'free' })
    for (let at = 0; at < 5; at += 1) await owner.get('/organization')
    const login = { email: 'unknown@example.com', password: 'wrong horse battery staple' }
    for (let at = 0; at < 6; at += 1) await world.anonymous.post('/auth/login', login)
    const all = await scraped()
    const of = (reason: string) => all.get(`flightdeck_requests_refused_total{reason="${reason}"}`)
    expect([of('rate_limited'), of('login_throttled'), of('overloaded')]).toEqual([2, 1, 0])
  })

  test('in progress are counted, and so are open streams', async () => {
    const url = await listen(world.app)
    const { owner } = await world.organization()
    const stream = await openStream(url, owner)
    await stream.block()
    expect(await value('flightdeck_event_streams_open')).toBe(1)
    expect(await value('flightdeck_http_requests_in_flight')).toBe(0)
    await stream.hangUp()
    await msUntil(async () => (await value('flightdeck_event_streams_open')) === 0)
  })

  test('leave no connection busy', async () => {
    const all = await scraped()
    expect(all.get('flightdeck_database_pool_connections{state="idle"}')).toBeGreaterThan(0)
    expect(all.get('flightdeck_database_pool_waiting')).toBe(0)
  })
})

describe('queues', () => {
  const depths = () => queueDepths(world.services.database.reader, world.clock)()

  test('the oldest delivery counts from its due time, unless its endpoint is paused', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    await makeEvents(organization, 3)
    const client = new pg.Client(world.database.address)
    await client.connect()
    const set = (sql: string) =>
      client.query(`${sql} where organization_id = $1`, [organization.id])
    const due = new Date(world.clock.now().getTime() - 90_000).toISOString()
    await set(`update webhook_deliveries set next_attempt_at = '${due}'`)
    expect(await depths()).toMatchObject({ deliveriesPending: 3, oldestPendingSeconds: 90 })
    const later = new Date(world.clock.now().getTime() + 60_000).toISOString()
    await set(`update webhook_endpoints set paused_until = '${later}'`)
    expect(await depths()).toMatchObject({ deliveriesPending: 3, oldestPendingSeconds: 0 })
    await set(`update webhook_endpoints set paused_until = null`)
    await set(`update webhook_deliveries set next_attempt_at = '${later}'`)
    expect(await depths()).toMatchObject({ deliveriesPending: 3, oldestPendingSeconds: 0 })
    await organization.owner.delete(`/webhook_endpoints/${id}`)
    await client.end()
  })

  test('concurrent scrapes share one query', async () => {
    let looks = 0
    const reader = {
      ...world.services.database.reader,
      query: async () => {
        looks += 1
        return []
      },
    }
    const ask = queueDepths(reader, world.clock)
    await Promise.all([ask(), ask(), ask()])
    await ask()
    expect(looks).toBe(3)
  })

  test('are without a value while the database is down', async () => {
    const query = () => Promise.reject(new Error('away'))
    const reader = { ...world.services.database.reader, query }
    expect(await queueDepths(reader, world.clock)()).toBeUndefined()
  })

  test('attempts are counted by their outcome, and jobs by their queue', async () => {
    const { services } = world
    const background = backgroundOf({ services, address: world.database.address })
    const isRunning = async () =>
      (await services.observability.readiness.report()).checks.queue === 'running'
    await msUntil(isRunning, 20_000)
    const organization = await world.organization()
    await endpointOf(organization, { url: receiver.url })
    receiver.answer(200, 500, 410)
    await makeEvents(organization, 1)
    await msUntil(() => services.observability.counters.deliveries.succeeded === 1, 10_000)
    await makeEvents(organization, 1)
    await msUntil(() => services.observability.counters.deliveries.retried === 1, 10_000)
    const all = await scraped()
    expect(all.get('flightdeck_deliveries_total{outcome="succeeded"}')).toBe(1)
    expect(all.get('flightdeck_deliveries_total{outcome="retried"}')).toBe(1)
    const { jobsPending } = (await depths()) ?? { jobsPending: [] }
    expect(jobsPending.map(({ queue }) => queue)).toContain('rate-limits.purge')
    await background.stop()
  })
})

describe('conditions', () => {
  const conditions = () => conditionsOf(world.services.database.reader)()
  const secondsOf = async (task: string) =>
    (await conditions())?.successes.find((each) => each.task === task)?.seconds ?? Number.NaN

  test('failing proxies are counted, and endpoints that the service has disabled', async () => {
    const organization = await world.organization()
    const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
    for (let at = 0; at < 3; at += 1) await made(organization.owner, '/proxies', proxy)
    for (let at = 0; at < 3; at += 1) await endpointOf(organization, { url: receiver.url })
    expect(await conditions()).toMatchObject({ proxiesFailing: 0, endpointsGivenUp: 0 })
    const set = (sql: string) =>
      world.database.query(`${sql} where organization_id = $1`, [organization.id])
    const isFirst = (table: string) =>
      `id = (select min(id) from ${table} where organization_id = $1)`
    await set(`update proxies set health = case when ${isFirst('proxies')} then health
      else 'failing' end`)
    await set(`update webhook_endpoints set status = 'disabled', disabled_reason =
      case when ${isFirst('webhook_endpoints')} then 'manual' else 'failing' end`)
    expect(await conditions()).toMatchObject({ proxiesFailing: 2, endpointsGivenUp: 2 })
  })

  test('counting them reads an index, however many there are', async () => {
    const { query } = world.database
    await query('set enable_seqscan = off')
    const plan = await query(`explain ${conditionCountsSql.replaceAll('$1', '10')}`)
    expect(JSON.stringify(plan)).toMatch(
      /using proxies_failing .*using webhook_endpoints_given_up .*using audit_verifications_broken/,
    )
  })

  test('a task that never succeeded counts from the creation of the database', async () => {
    const [{ created = 0 } = {}] = await world.database.query<{ created: number }>(
      'select extract(epoch from min(applied_at))::float8 as created from migrations',
    )
    expect(await secondsOf('backup.create')).toBe(created)
    expect(await secondsOf('audit-logs.checkpoint')).toBe(created)
  })

  test('a scheduled job and a backup record their success, a failed job none', async () => {
    const begun = Date.now() / 1000 - 1
    const { services, database } = world
    const logger = pino({ level: 'silent' })
    const signal = new AbortController().signal
    const job = { name: 'audit-logs.checkpoint', cron: '', run: async () => ({}) }
    await runJob(job, { services, logger, signal })
    expect(await secondsOf(job.name)).toBeGreaterThan(begun)
    const failing = { ...job, name: 'failing', run: () => Promise.reject(new Error('broken')) }
    await expect(runJob(failing, { services, logger, signal })).rejects.toThrow('broken')
    expect(await secondsOf('failing')).toBeNaN()
    const file = join(mkdtempSync(join(tmpdir(), 'flightdeck-metrics-')), 'a.backup')
    await createBackup(file, { address: database.address, cipher: services.crypto.cipher })
    expect(await secondsOf('backup.create')).toBeGreaterThan(begun)
    rmSync(dirname(file), { recursive: true })
  })

  test('are exposed, and left out while the database is down', async () => {
    const fresh = await openWorld({ env, address: world.database.address })
    const series = 'flightdeck_task_last_success_timestamp_seconds{task="backup.create"}'
    expect((await scraped(fresh)).get(series)).toBeGreaterThan(0)
    await fresh.close()
    const query = () => Promise.reject(new Error('away'))
    expect(await conditionsOf({ ...world.services.database.reader, query })()).toBeUndefined()
  })
})

test('readiness is a gauge', async () => {
  const fresh = await openWorld({ env, address: world.database.address })
  const ready = async () => (await scraped(fresh)).get('flightdeck_ready')
  expect(await ready()).toBe(1)
  fresh.services.observability.readiness.drain()
  expect(await ready()).toBe(0)
  await fresh.close()
})
