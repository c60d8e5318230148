import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Query, readonlyKyselyOver } from '../../src/database/tables/kysely.ts'
import { watch } from '../support/documented.ts'
import { openWorld, password, type Reply, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: { FLIGHTDECK_TRUSTED_PROXIES: '127.0.0.1' } }))
})
afterAll(() => world.close())

// The throttle uses the process's own clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** A separate network for each test. */
let networks = 0
const newNetwork = () => {
  networks += 1
  return `10.${Math.floor(networks / 250)}.${networks % 250}`
}

/** Each attempt from a new address of the test's network, unless the test is about addresses. */
let network = ''
let hosts = 0
beforeEach(() => {
  network = newNetwork()
  hosts = 0
})
const newAddress = () => {
  hosts += 1
  return `${network}.${hosts}`
}

const isKnown = async () => false

const login = (email: string, text: string, address = newAddress()): Promise<Reply> =>
  world.anonymous.post('/auth/login', { email, password: text }, { 'x-forwarded-for': address })

const fail = async (email: string, times: number) => {
  for (let count = 0; count < times; count += 1) {
    expect((await login(email, 'wrong password')).statusCode).toBe(401)
  }
}

/** The number of simultaneous answers by status. */
async function many(count: number, send: (at: number) => Promise<Reply>) {
  const replies = await Promise.all(Array.from({ length: count }, (_, at) => send(at)))
  const times: Record<number, number> = {}
  for (const { statusCode } of replies) times[statusCode] = (times[statusCode] ?? 0) + 1
  return times
}

/** An attempt without the cost of a hash: its check takes a moment and then decides. */
const judged = (who: { account: string; address: string }, isRight: boolean): Promise<string> =>
  world.services.identity.throttle
    .attempt({ ...who, isKnown }, async () => {
      await setTimeout(5)
      return { isRight }
    })
    .then(
      () => 'judged',
      ({ code }) => code,
    )

const essence = (reply: Reply) => {
  const { request_id: _, ...problem } = reply.json()
  return { status: reply.statusCode, problem, authenticate: reply.headers['www-authenticate'] }
}

test('unknown, wrong and disabled logins get the same answer', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const email = `disabled-${randomUUID()}@example.com`
  const member = { email, name: 'D', role: 'viewer', password }
  const { id } = (await owner.post('/members', member)).json()
  expect((await login(email, password)).statusCode).toBe(200)
  await owner.patch(`/members/${id}`, { disabled: true })
  const answers = [
    await login(`unknown-${randomUUID()}@example.com`, password),
    await login(owner.email, 'wrong password'),
    await login(email, password),
    await login(email, 'wrong password'),
  ].map(essence)
  expect(answers[0]).toMatchObject({
    status: 401,
    problem: { code: 'invalid_credentials', errors: [] },
    authenticate: 'Bearer',
  })
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
})

test('an unknown address takes as long as a known one, whose failure is recorded first', async () => {
  const recordingMs = 150
  const slow = await openWorld({
    alter: (services) => ({
      ...services,
      identity: {
        ...services.identity,
        passwords: { ...services.identity.passwords, verify: async () => false },
      },
      database: {
        ...services.database,
        sharedTransaction: async (key, work) => {
          await setTimeout(recordingMs)
          return services.database.sharedTransaction(key, work)
        },
      },
    }),
  })
  try {
    const { owner } = await slow.organization()
    const msOf = async (email: string) => {
      const begun = performance.now()
      expect((await slow.anonymous.post('/auth/login', { email, password })).statusCode).toBe(401)
      return performance.now() - begun
    }
    const unknown = `${randomUUID()}@example.com`
    // Timers have a resolution of one millisecond.
    for (const email of [owner.email, unknown, owner.email, unknown]) {
      expect(await msOf(email)).toBeGreaterThan(recordingMs - 2)
    }
  } finally {
    await slow.close()
  }
})

test('an unknown address costs the same number of queries as a known one', async () => {
  let asked = 0
  const counting = await openWorld({
    alter: (services) => {
      const { reader } = services.database
      const query: Query = (statement) => {
        asked += 1
        return reader.query(statement)
      }
      const kysely = readonlyKyselyOver(query)
      const counted = { query, kysely: () => kysely }
      return { ...services, database: { ...services.database, reader: counted } }
    },
  })
  try {
    const { owner } = await counting.organization()
    const askedFor = async (email: string) => {
      const before = asked
      const wrong = { email, password: 'wrong password' }
      expect((await counting.anonymous.post('/auth/login', wrong)).statusCode).toBe(401)
      return asked - before
    }
    expect([await askedFor(owner.email), await askedFor(`${randomUUID()}@a.test`)]).toEqual([2, 2])
  } finally {
    await counting.close()
  }
})

test('the email address is trimmed and case-insensitive', async () => {
  const { owner } = await world.organization()
  const reply = await login(`  ${owner.email.toUpperCase()} `, password)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.json()).toMatchObject({ token_type: 'Bearer', user: { email: owner.email } })
  expect(reply.headers).not.toHaveProperty('ratelimit')
})

describe('after five failures in a row', () => {
  const waits = async (email: string) => {
    const reply = await login(email, password)
    expect([reply.statusCode, reply.json().code]).toEqual([429, 'login_throttled'])
    return Number(reply.headers['retry-after'])
  }

  test('an account waits 1, 2, 4 … seconds, even with the right password', async () => {
    const { owner } = await world.organization()
    await fail(owner.email, 5)
    for (const seconds of [1, 2, 4, 8]) {
      expect(await waits(owner.email)).toBe(seconds)
      advance(seconds - 0.5)
      expect(await waits(owner.email)).toBe(1)
      advance(0.5)
      if (seconds < 8) await fail(owner.email, 1)
    }
    expect((await login(owner.email, password)).statusCode).toBe(200)
    await fail(owner.email, 4)
    expect((await login(owner.email, password)).statusCode).toBe(200)
  })

  test('the wait never exceeds 900 seconds', async () => {
    const { owner } = await world.organization()
    await fail(owner.email, 5)
    for (let count = 0; count < 12; count += 1) {
      advance(await waits(owner.email))
      await fail(owner.email, 1)
    }
    expect(await waits(owner.email)).toBe(900)
    advance(900)
    expect((await login(owner.email, password)).statusCode).toBe(200)
  })

  test('an unknown address waits alike', async () => {
    const email = `unknown-${randomUUID()}@example.com`
    await fail(email, 5)
    expect(await waits(email)).toBe(1)
    expect(await waits(` ${email.toUpperCase()}`)).toBe(1)
    advance(1)
    await fail(email, 1)
    expect(await waits(email)).toBe(2)
  })

  test('other accounts do not wait', async () => {
    const organization = await world.organization()
    const other = await world.organization()
    await fail(organization.owner.email, 5)
    expect(await waits(organization.owner.email)).toBe(1)
    expect((await login(other.owner.email, password)).statusCode).toBe(200)
  })

  test('parallel attempts gain no additional tries', async () => {
    const { owner } = await world.organization()
    const guess = () => login(owner.email, 'wrong password')
    expect(await many(20, guess)).toEqual({ 401: 5, 429: 15 })
  })

  test('the right password waits for simultaneous attempts, and clears earlier failures', async () => {
    const { owner } = await world.organization()
    await fail(owner.email, 4)
    expect(await many(10, () => login(owner.email, password))).toEqual({ 200: 10 })
    await fail(owner.email, 4)
    expect(await many(10, () => login(owner.email, password))).toEqual({ 200: 10 })
  })

  test('a stolen token does not bypass the wait', async () => {
    const { owner } = await world.organization()
    const body = { current_password: 'guess', new_password: 'quite another phrase' }
    const guess = () => owner.post('/auth/password', body, { 'x-forwarded-for': newAddress() })
    for (let count = 0; count < 5; count += 1) expect((await guess()).statusCode).toBe(401)
    expect((await guess()).json().code).toBe('login_throttled')
    expect(await waits(owner.email)).toBe(1)
  })
})

test('simultaneous logins are not failures', async () => {
  const { owner } = await world.organization()
  expect(await many(10, () => login(owner.email, password))).toEqual({ 200: 10 })
  const address = newAddress()
  const next = () => judged({ account: `${randomUUID()}@example.com`, address }, true)
  for (const each of Array.from({ length: 40 }, next)) expect(await each).toBe('judged')
})

test('an aborted attempt is not a failure', async () => {
  const {
    identity: { throttle },
  } = world.services
  const who = { account: `${randomUUID()}@example.com`, address: newAddress(), isKnown }
  const breakOff = () => throttle.attempt(who, () => Promise.reject(new Error('no database')))
  for (let count = 0; count < 40; count += 1) await expect(breakOff()).rejects.toThrow('no data')
  await fail(who.account, 4)
  for (let count = 0; count < 3; count += 1) await expect(breakOff()).rejects.toThrow('no data')
  await fail(who.account, 1)
  await expect(breakOff()).rejects.toMatchObject({ code: 'login_throttled' })
})

test('an address gains little by trying many accounts at once', async () => {
  const address = newAddress()
  const guess = () => judged({ account: `${randomUUID()}@example.com`, address }, false)
  const answers = await Promise.all(Array.from({ length: 100 }, guess))
  const tried = answers.filter((answer) => answer === 'judged').length
  expect(tried).toBeGreaterThanOrEqual(30)
  expect(tried).toBeLessThan(38)
  expect(await guess()).toBe('login_throttled')
})

test('an address has thirty failures a minute; its successes are not counted', async () => {
  const { owner } = await world.organization()
  const address = newAddress()
  const unknown = () => login(`${randomUUID()}@example.com`, 'wrong password', address)
  for (let count = 0; count < 29; count += 1) expect((await unknown()).statusCode).toBe(401)
  expect((await login(owner.email, password, address)).statusCode).toBe(200)
  expect((await unknown()).statusCode).toBe(401)
  const refused = await login(owner.email, password, address)
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'login_throttled'])
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect((await login(owner.email, password)).statusCode).toBe(200)
  advance(60)
  expect((await login(owner.email, password, address)).statusCode).toBe(200)
})

test('failures of a known account are in its organization’s audit log, without the password', async () => {
  const organization = await world.organization()
  await login(organization.owner.email, 'a wrong password of mine')
  const { owner } = organization
  const reply = await owner.get('/audit_logs?action=auth.login_failed')
  expect(reply.json().data).toMatchObject([
    {
      outcome: 'failed',
      actor: { type: 'anonymous', id: null },
      resource: { type: 'user', id: owner.userId },
      request: { status: 401, path: '/api/v1/auth/login' },
    },
  ])
  expect(reply.body).not.toContain('of mine')
  expect(JSON.stringify(world.logged)).not.toContain('of mine')
})

test('addresses of one IPv6 network count as one, and so do all spellings of an address', async () => {
  const statusesFrom = async (addresses: string[]) => {
    const replies = []
    for (const address of addresses) {
      replies.push(await login(`${randomUUID()}@example.com`, 'wrong password', address))
    }
    return new Set(replies.map(({ statusCode }) => statusCode))
  }
  const six = '2001:db8:0:7'
  const hosts = Array.from({ length: 30 }, (_, at) => `${six}:${at + 1}::${at}`)
  expect(await statusesFrom(hosts)).toEqual(new Set([401]))
  const same = [`${six}::`, `${six}:ffff:ffff:ffff:ffff`, '2001:0DB8:0000:0007::1']
  expect(await statusesFrom(same)).toEqual(new Set([429]))
  expect(await statusesFrom(['2001:db8:0:8::1', '2001:db8:1:7::1'])).toEqual(new Set([401]))
  const four = newAddress()
  expect(await statusesFrom(Array(30).fill(four))).toEqual(new Set([401]))
  expect(await statusesFrom([`::ffff:${four}`])).toEqual(new Set([429]))
  expect(await statusesFrom([newAddress(), `::ffff:${newAddress()}`])).toEqual(new Set([401]))
})
