import { setTimeout as realSleep, setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDeadlines } from '../../src/limits/deadlines.ts'
import { type Line, lineTo } from '../support/machines/flaky-connection.ts'
import { type FreshDatabase, migratedDatabase } from '../support/machines/fresh-database.ts'
import { type Client, openWorld, type Reply, unlimited, type World } from '../support/world.ts'

/** Five seconds would be long for a test. */
const soon = { limitMs: 1_000, everyMs: 50 }

let database: FreshDatabase
let line: Line
let world: World

beforeAll(async () => {
  database = await migratedDatabase()
  line = await lineTo(database.address)
  world = await openWorld({
    address: line.address,
    env: unlimited,
    alter: (services) => ({
      ...services,
      limits: { ...services.limits, deadlines: openDeadlines(soon) },
    }),
  })
})
afterAll(async () => {
  await world.close()
  await line.close()
  await database.drop()
})
afterEach(() => void vi.useRealTimers())

const terminate = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'flightdeck'`,
  )

function expectCalm(replies: readonly Reply[]): void {
  for (const reply of replies) {
    if (reply.statusCode < 300) continue
    expect([reply.statusCode, reply.body]).toEqual([503, expect.stringContaining('"unavailable"')])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }
}

/** Repeats the request until it succeeds; all other answers are 503. */
async function healed(ask: () => Promise<Reply>, withinMs = 10_000): Promise<Reply> {
  const until = performance.now() + withinMs
  for (;;) {
    const reply = await ask()
    expectCalm([reply])
    if (reply.statusCode < 300 || performance.now() > until) return reply
    await setImmediate()
  }
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

const readsAndWrites = (owner: Client, name: string) => [
  owner.get('/organization'),
  owner.get('/campaigns'),
  owner.post('/templates', { name }),
  owner.patch('/organization', { name }),
]

/** An organization verifies one at a time. */
const mixed = (owner: Client, name: string) => [
  owner.get('/audit_logs/verify'),
  ...readsAndWrites(owner, name),
]

const breaks = { 'the server ends them': terminate, 'the line is cut': async () => line.cut() }

describe.each(Object.entries(breaks))('connections are lost because %s', (way, lose) => {
  test('idle ones: the next requests succeed or get 503, and the service recovers at once', async () => {
    const { owner } = await world.organization()
    for (const round of range(4)) {
      expectCalm(await Promise.all(mixed(owner, `warm ${round}`)))
      await lose()
      expectCalm(await Promise.all(mixed(owner, `cut ${round}`)))
      expect((await healed(() => owner.get('/organization'))).statusCode).toBe(200)
      const write = () => owner.patch('/organization', { name: `${way} ${round}` })
      expect((await healed(write)).statusCode).toBe(200)
    }
  })

  test('busy ones: no answer is a 500', async () => {
    const { owner } = await world.organization()
    for (const round of range(4)) {
      const asked = [
        ...mixed(owner, `busy ${round}`),
        ...range(5).flatMap((at) => readsAndWrites(owner, `busy ${round} ${at}`)),
      ]
      await setImmediate()
      await lose()
      expectCalm(await Promise.all(asked))
    }
    const list = await healed(() => owner.get('/templates'))
    expect(list.statusCode).toBe(200)
  })

  test('under load with retries, no acknowledged write is lost or doubled', async () => {
    const organization = await world.organization()
    const { owner } = organization
    let isDone = false
    const cutting = (async () => {
      for (let cuts = 0; !isDone; cuts += 1) {
        await owner.get('/organization')
        if (cuts % 20 === 19) await lose()
      }
    })()
    const names = range(60).map((at) => `Template ${at}`)
    const workers = range(6).map((worker) =>
      createAll(
        owner,
        names.filter((_, at) => at % 6 === worker),
      ),
    )
    const made = await Promise.allSettled(workers)
    // Nor does it go on in the tests below if one of them has failed.
    isDone = true
    await cutting
    const ids = made.flatMap((each) =>
      each.status === 'fulfilled' ? each.value : expect.fail(`${each.reason}`),
    )
    expect(new Set(ids).size).toBe(60)
    const ask = () => owner.get('/templates?limit=100&include_total=true')
    const { data, meta } = (await healed(ask)).json()
    expect(meta.total).toBe(60)
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
    const events = await database.query<{ sequence: string }>(
      'select sequence from events where organization_id = $1 order by sequence',
      [organization.id],
    )
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(
      range(events.length).map((at) => at + 1),
    )
    // The organization's creation, its owner's, and one for each template.
    expect(events).toHaveLength(62)
    expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
    expect((await owner.get('/limits')).json().caps.templates.used).toBe(60)
  })
})

/** Like a careful client: the same key until there is an answer. */
async function createAll(client: Client, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const headers = { 'idempotency-key': name }
    const create = () => client.post('/templates', { name }, headers)
    let reply = await create()
    // 503; or 409, while what was begun over the line that was cut has not ended there.
    const isTransient = () => reply.json().retry === 'transient'
    for (let tries = 0; isTransient() && tries < 2_000; tries += 1) reply = await create()
    expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
    ids.push(reply.json().id)
  }
  return ids
}

test('while the database is down answers and readiness are 503; then the service recovers', async () => {
  const { owner } = await world.organization()
  await owner.get('/organization')
  await line.shut()
  const replies = await Promise.all(mixed(owner, 'away'))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 503))
  expectCalm(replies)
  const login = await world.anonymous.post('/auth/login', { email: owner.email, password: 'x' })
  expect(login.statusCode).toBe(503)
  expect((await world.app.inject('/livez')).statusCode).toBe(200)
  expect((await world.app.inject('/readyz')).statusCode).toBe(503)
  await line.open()
  expect((await healed(() => owner.post('/templates', { name: 'Back' }))).statusCode).toBe(201)
  // A check is cached for half a second.
  const readyz = async () => (await world.app.inject('/readyz')).statusCode
  await expect.poll(readyz).toBe(200)
})

test('a silent connection is given up and replaced', async () => {
  const { owner } = await world.organization()
  expectCalm(await Promise.all(mixed(owner, 'before')))
  line.swallow()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stuck = mixed(owner, 'swallowed')
  // Each step of a request may wait for an answer that never comes.
  const answered = Promise.all(stuck)
  let isAnswered = false
  void answered.then(() => {
    isAnswered = true
  })
  for (const until = performance.now() + 40_000; !isAnswered && performance.now() < until; ) {
    await realSleep(50)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(isAnswered).toBe(true)
  vi.useRealTimers()
  expectCalm(await answered)
  // Requests time out before connections are given up.
  const found = await healed(() => owner.get('/organization'), 15_000)
  expect(found.statusCode).toBe(200)
  expect((await healed(() => owner.post('/templates', { name: 'After' }))).statusCode).toBe(201)
})
