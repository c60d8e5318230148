import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { DatabaseBusy } from '../../src/database/driver/database-busy.ts'
import { admissionControl } from '../../src/limits/admission.ts'
import { listen, openStream } from '../support/event-stream.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { Reply, TestOrganization } from '../support/world.ts'

const metricsToken = 'scrape-me'
const most = 12
/** The share of one organization that is alone. */
const share = 10
let world: OwnWorld
let url: string
let busy: TestOrganization
let calm: TestOrganization

beforeAll(async () => {
  world = await openOwnWorld({
    env: { FLIGHTDECK_METRICS_TOKEN: metricsToken },
    alter: (services) => ({
      ...services,
      limits: {
        ...services.limits,
        admission: admissionControl({ most, perTenantBeforeQueueing: 1 }),
      },
    }),
  })
  url = await listen(world.app)
  busy = await world.organization()
  calm = await world.organization()
  // Their credentials are cached, as for clients that came before.
  await Promise.all([busy.owner.get('/limits'), calm.owner.get('/limits')])
})
afterAll(async () => {
  await world.close()
})

// The databases of other tests have tables with the same numbers.
const countBlocked = `select count(*)::int as count from pg_locks
  join pg_database on pg_database.oid = database and datname = current_database()
  where relation = 'campaigns'::regclass and not granted`

/** Blocks all campaign reads while it runs; `blocked` counts them. */
async function whileBlocked(work: (blocked: () => Promise<number>) => Promise<void>) {
  const client = new pg.Client(world.database.address)
  await client.connect()
  const blocked = async () => (await client.query(countBlocked)).rows[0].count
  try {
    await client.query('begin; lock table campaigns in access exclusive mode')
    await work(blocked)
  } finally {
    await client.end()
  }
}

const refusedOf = (replies: readonly Reply[]) =>
  replies.filter(({ statusCode }) => statusCode === 503)

test('one organization cannot use the share of others; its excess is 503 at once', async () => {
  const replies: Reply[] = []
  let asked: Promise<unknown> = Promise.resolve()
  await whileBlocked(async () => {
    const flood = Array.from({ length: 40 }, async () => {
      replies.push(await busy.owner.get('/campaigns'))
    })
    asked = Promise.all(flood)
    await msUntil(() => replies.length >= 40 - share)
    expect(replies).toHaveLength(40 - share)
    expect(world.services.limits.admission.taken).toBe(share)
    for (const reply of replies) {
      expect(reply.json()).toMatchObject({ status: 503, code: 'overloaded', retry: 'transient' })
      expect(reply.headers['retry-after']).toBe('1')
    }
    const others = [calm.owner.get('/organization'), calm.owner.get('/profiles')]
    expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
  await asked
  expect(refusedOf(replies)).toHaveLength(40 - share)
  expect(replies).toHaveLength(40)
  await msUntil(() => world.services.limits.admission.taken === 0)
  expect((await busy.owner.get('/campaigns')).statusCode).toBe(200)
})

test('probes are answered under overload, and refusals are summed up in the log', async () => {
  const places = Array.from({ length: most }, () => world.services.limits.admission.place())
  for (const place of places) place.acquire()
  const before = world.logged.length
  const replies = await Promise.all(Array.from({ length: 50 }, () => calm.owner.get('/campaigns')))
  expect(refusedOf(replies)).toHaveLength(50)
  const authorization = `Bearer ${metricsToken}`
  for (const path of ['/livez', '/readyz', '/metrics']) {
    const reply = await world.app.inject({ url: path, headers: { authorization } })
    expect([path, reply.statusCode]).toEqual([path, 200])
  }
  for (const place of places) place.leave()
  const notable = world.logged.slice(before).filter(({ level }) => Number(level) >= 40)
  expect(notable.length).toBeLessThanOrEqual(1)
  expect((await calm.owner.get('/campaigns')).statusCode).toBe(200)
})

test('work continues and holds its slot although its client disconnected', async () => {
  await whileBlocked(async (blocked) => {
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${busy.owner.token}` }
    const asked = fetch(`${url}/api/v1/campaigns`, { headers, signal: gone.signal })
    await msUntil(async () => (await blocked()) === 1)
    expect(world.services.limits.admission.taken).toBe(1)
    gone.abort()
    await expect(asked).rejects.toThrow()
    await msUntil(() => world.app.traffic.underWay === 0)
    expect(world.services.limits.admission.taken).toBe(1)
  })
  await msUntil(() => world.services.limits.admission.taken === 0)
})

test('requests that wait for an exclusive database connection are limited', async () => {
  const database = openDatabase(inject('address'), { readers: 1, writers: 1, interactive: 1 })
  const sleep = { sql: 'select pg_sleep(0.001)', parameters: [] }
  const work = () =>
    database.transaction(async (tx) => {
      tx.send(sleep)
      // Reading after writing needs an exclusive connection.
      await tx.query(sleep)
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 150 }, work))
  const faults = outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason : []))
  expect(faults.length).toBeGreaterThanOrEqual(49)
  for (const fault of faults) expect(fault).toBeInstanceOf(DatabaseBusy)
  expect(database.usage()).toMatchObject({ busy: 0, waiting: 0 })
  await database.close()
})

test('opening a stream is as cheap as a read, and open streams hold no slot', async () => {
  const opened = await Promise.all(Array.from({ length: share }, () => openStream(url, calm.owner)))
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200))
  expect(world.services.limits.admission.taken).toBe(0)
  expect((await calm.owner.get('/campaigns')).statusCode).toBe(200)
  await Promise.all(opened.map((stream) => stream.hangUp()))
})

test('statements in flight are limited too', async () => {
  const database = openDatabase(inject('address'), { readers: 1, writers: 1, interactive: 1 })
  await database.reader.query({ sql: 'select 1', parameters: [] })
  const ask = () => database.reader.query({ sql: 'select 1', parameters: [] })
  const outcomes = await Promise.allSettled(Array.from({ length: 5_100 }, ask))
  const faults = outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason : []))
  expect(faults).toHaveLength(100)
  for (const fault of faults) expect(fault).toBeInstanceOf(DatabaseBusy)
  await database.close()
})
