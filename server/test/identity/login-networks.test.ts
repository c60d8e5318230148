import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { purgeLoginNetworks } from '../../src/features/auth/retention.ts'
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
const day = 86_400_000

let networks = 0
/** Addresses of a /24 that no other test uses. */
function newNetwork(): (host: number) => string {
  networks += 1
  const network = `10.${Math.floor(networks / 250)}.${networks % 250}`
  return (host) => `${network}.${host}`
}

const login = (email: string, text: string, address: string): Promise<Reply> =>
  world.anonymous.post('/auth/login', { email, password: text }, { 'x-forwarded-for': address })

const guess = (email: string, address: string) => login(email, 'wrong password', address)

const answerOf = ({ statusCode, headers }: Reply) =>
  statusCode === 429 ? [429, Number(headers['retry-after'])] : [statusCode]

/** A failure without the cost of a hash, from an unknown network. */
const judged = (account: string, address: string): Promise<string> =>
  world.services.identity.throttle
    .attempt({ account, address, isKnown: async () => false }, async () => ({ isRight: false }))
    .then(
      () => 'judged',
      ({ code }) => code,
    )

/** Uses up an account's hourly failures, from several networks; answers one of them. */
async function useUp(account: string): Promise<(host: number) => string> {
  for (let count = 0; count < 24; count += 1) {
    const network = newNetwork()
    for (let host = 1; host <= 4; host += 1)
      expect(await judged(account, network(host))).toBe('judged')
  }
  const last = newNetwork()
  for (let host = 1; host <= 4; host += 1) expect(await judged(account, last(host))).toBe('judged')
  return last
}

describe('failures from one network', () => {
  test('do not affect logins from another, for known and unknown accounts', async () => {
    const { owner } = await world.organization()
    const [theirs, mine] = [newNetwork(), newNetwork()]
    for (const email of [owner.email, `${randomUUID()}@example.com`]) {
      for (let host = 1; host <= 5; host += 1) {
        expect((await guess(email, theirs(host))).statusCode).toBe(401)
      }
      expect(answerOf(await guess(email, theirs(6)))).toEqual([429, 1])
      expect((await guess(email, mine(1))).statusCode).toBe(401)
    }
    expect((await login(owner.email, password, mine(2))).statusCode).toBe(200)
  })

  test.each([
    ['203.0.113.', '203.0.114.1', (host: number) => `203.0.113.${host}`],
    ['2001:db8:9::/48', '2001:db8:a::1', (host: number) => `2001:db8:9:${host}::1`],
    ['::ffff:198.51.100.', '198.51.101.1', (host: number) => `::ffff:198.51.100.${host}`],
  ])('are counted together: %s', async (_, elsewhere, addressOf) => {
    const email = `${randomUUID()}@example.com`
    for (let host = 1; host <= 5; host += 1) {
      expect((await guess(email, addressOf(host))).statusCode).toBe(401)
    }
    expect((await guess(email, addressOf(6))).statusCode).toBe(429)
    expect((await guess(email, elsewhere)).statusCode).toBe(401)
  })
})

describe('after 100 failures of an account within an hour', () => {
  test('an unfamiliar network waits 60 s after its own last attempt', async () => {
    const { owner } = await world.organization()
    const used = await useUp(owner.email)
    expect(answerOf(await login(owner.email, password, used(5)))).toEqual([429, 60])
    const mine = newNetwork()
    expect(answerOf(await guess(owner.email, mine(1)))).toEqual([401])
    advance(20)
    expect(answerOf(await login(owner.email, password, mine(2)))).toEqual([429, 40])
    advance(40)
    expect((await login(owner.email, password, mine(3))).statusCode).toBe(200)
  })

  test('a familiar network does not wait', async () => {
    const { owner } = await world.organization()
    const home = newNetwork()
    expect((await login(owner.email, password, home(1))).statusCode).toBe(200)
    await useUp(owner.email)
    for (let host = 2; host <= 4; host += 1) {
      expect((await guess(owner.email, home(host))).statusCode).toBe(401)
    }
    expect((await login(owner.email, password, home(5))).statusCode).toBe(200)
  })

  test('unless its last login was more than 30 days ago', async () => {
    const { owner } = await world.organization()
    const home = newNetwork()
    expect((await login(owner.email, password, home(1))).statusCode).toBe(200)
    await useUp(owner.email)
    world.clock.advance(30 * day - 1)
    for (let count = 0; count < 2; count += 1) {
      expect((await guess(owner.email, home(2))).statusCode).toBe(401)
    }
    world.clock.advance(1)
    expect((await guess(owner.email, home(3))).statusCode).toBe(401)
    expect(answerOf(await guess(owner.email, home(4)))).toEqual([429, 60])
  })

  test('unknown accounts are treated alike', async () => {
    const { owner } = await world.organization()
    const answers = await Promise.all(
      [owner.email, `${randomUUID()}@example.com`].map(async (email) => {
        const used = await useUp(email)
        const mine = newNetwork()
        const addresses = [used(5), mine(1), mine(2)]
        const replies = []
        for (const address of addresses) replies.push(answerOf(await guess(email, address)))
        return replies
      }),
    )
    expect(answers[0]).toEqual([[429, 60], [401], [429, 60]])
    expect(answers[1]).toEqual(answers[0])
  })

  test('the restriction ends with the hour, and successes are not failures', async () => {
    const { owner } = await world.organization()
    const home = newNetwork()
    for (let count = 0; count < 3; count += 1) {
      expect((await login(owner.email, password, home(1))).statusCode).toBe(200)
    }
    await useUp(owner.email)
    const attempts = async (network: (host: number) => string) => [
      await judged(owner.email, network(1)),
      await judged(owner.email, network(2)),
    ]
    expect(await attempts(newNetwork())).toEqual(['judged', 'login_throttled'])
    advance(3_600)
    expect(await attempts(newNetwork())).toEqual(['judged', 'judged'])
  })

  test('parallel attempts from many networks gain one try each', async () => {
    const account = `${randomUUID()}@example.com`
    const attempts = Array.from({ length: 50 }, newNetwork).flatMap((network) =>
      [1, 2, 3, 4].map((host) => judged(account, network(host))),
    )
    const tried = (await Promise.all(attempts)).filter((answer) => answer === 'judged')
    expect(tried.length).toBeGreaterThanOrEqual(100)
    expect(tried.length).toBeLessThanOrEqual(150)
  })
})

test('networks are forgotten 30 days after their last login, or with their user', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const email = `${randomUUID()}@example.com`
  const member = (
    await owner.post('/members', { email, name: 'M', role: 'viewer', password })
  ).json()
  const known = async () => {
    const sql =
      'select user_id, network from login_networks where organization_id = $1 order by network'
    return world.services.database.reader.query({ sql, parameters: [organization.id] })
  }
  await login(owner.email, password, '192.0.2.9')
  await login(email, password, '192.0.2.200')
  const ofOwner = (network: string) => ({ user_id: owner.userId, network })
  const ofBoth = [{ user_id: member.id, network: '192.0.2.0/24' }, ofOwner('192.0.2.0/24')]
  expect(await known()).toEqual(expect.arrayContaining(ofBoth))
  await owner.delete(`/members/${member.id}`)
  expect(await known()).toEqual([ofOwner('192.0.2.0/24')])
  world.clock.advance(15 * day)
  await login(owner.email, password, '2001:db8:77:1::9')
  world.clock.advance(15 * day + 1)
  await purgeLoginNetworks(world.services, AbortSignal.timeout(10_000))
  expect(await known()).toEqual([ofOwner('2001:db8:77::/48')])
})
