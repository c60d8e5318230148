import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Digest, passwordHasher } from '../../src/identity/passwords.ts'
import {
  type Client,
  cheapDigest,
  openWorld,
  password,
  type Reply,
  unlimited,
  type World,
} from '../support/world.ts'

/** A hash that completes only when the test says so. */
type Held = { text: string; start(): void }

let world: World
/** Hashes that are running, in the order in which they started. */
let started: string[] = []
let held: Held[] = []
/** Passwords whose hashes were requested. */
let asked: string[] = []
let isHolding = false

const digest: Digest = async (text, nonce) => {
  started.push(text)
  if (isHolding) await new Promise<void>((resolve) => held.push({ text, start: resolve }))
  return cheapDigest(text, nonce)
}

beforeAll(async () => {
  const hasher = passwordHasher(digest)
  const env = { FLIGHTDECK_TRUSTED_PROXIES: '127.0.0.1', ...unlimited }
  world = await openWorld({
    env,
    alter: (services) => ({
      ...services,
      identity: {
        ...services.identity,
        passwords: {
          hash: (text, hashing) => {
            if (text === password) return services.identity.passwords.hash(text, hashing)
            asked.push(text)
            return hasher.hash(text, hashing)
          },
          verify: (text, stored, hashing) => {
            asked.push(text)
            return hasher.verify(text, stored, hashing)
          },
        },
      },
    }),
  })
})
afterAll(() => world.close())

const home = '198.51.100.7'

beforeEach(() => {
  started = []
  held = []
  asked = []
  isHolding = false
})

afterEach(() => void vi.useRealTimers())

const login = (email: string, text: string, address: string): Promise<Reply> =>
  world.anonymous.post('/auth/login', { email, password: text }, { 'x-forwarded-for': address })

let strangers = 0
/** A login of an unknown account from a new network; its password is its name. */
const stranger = (name: string) => {
  strangers += 1
  const address = `10.${Math.floor(strangers / 250)}.${strangers % 250}.1`
  return login(`${randomUUID()}@example.com`, `stranger ${name}`, address)
}

const member = (owner: Client, name: string) =>
  owner.post('/members', {
    email: `${randomUUID()}@example.com`,
    name: 'M',
    role: 'viewer',
    password: `of a member ${name}`,
  })

/** An owner with a familiar network. */
async function knownOwner(): Promise<Client> {
  const { owner } = await world.organization()
  expect((await login(owner.email, password, home)).statusCode).toBe(200)
  return owner
}

/** From now on hashes and waits complete only when the test says so. */
function hold(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  isHolding = true
  started = []
  asked = []
}

/** `expect.poll` would advance the fake time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

const whenAsked = (count: number) => until(() => asked.length === count)

/** Completes the first running hash, and waits until the next has started. */
async function finishOne(): Promise<void> {
  const next = started.length + 1
  held.shift()?.start()
  await until(() => started.length >= next)
}

async function letGo<T>(replies: readonly Promise<T>[]): Promise<T[]> {
  isHolding = false
  for (const each of held.splice(0)) each.start()
  return Promise.all(replies)
}

test('familiar logins go first, then organizations one at a time, then unknown logins', async () => {
  const owner = await knownOwner()
  const { owner: other } = await world.organization()
  hold()
  const replies: Promise<Reply>[] = []
  const send = async (reply: Promise<Reply>) => {
    replies.push(reply)
    await whenAsked(replies.length)
  }
  for (const name of ['1', '2', '3', '4', '5']) await send(stranger(name))
  await send(member(owner, 'A1'))
  await send(member(owner, 'A2'))
  await send(member(other, 'B1'))
  await send(login(owner.email, 'known', home))
  expect(started).toEqual(['stranger 1', 'stranger 2'])
  for (let count = 0; count < 7; count += 1) await finishOne()
  expect(started.slice(2)).toEqual([
    'known',
    'of a member A1',
    'stranger 3',
    'of a member B1',
    'stranger 4',
    'of a member A2',
    'stranger 5',
  ])
  const statuses = (await letGo(replies)).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 201, 201, 201, 401])
})

/** The most logins from unknown networks that may run at once. */
const mostUnknown = 256

test('sixty networks that try one account do not lock out its owner', async () => {
  const owner = await knownOwner()
  hold()
  const replies = Array.from({ length: 600 }, (_, at) =>
    login(owner.email, 'guess', `10.200.${at % 60}.${Math.floor(at / 60) + 1}`),
  )
  let answered = 0
  for (const reply of replies) void reply.then(() => (answered += 1))
  await until(() => answered >= 600 - mostUnknown)
  const own = login(owner.email, password, home)
  await until(() => asked.includes(password))
  expect(started).toEqual(['guess', 'guess'])
  await finishOne()
  expect(started[2]).toBe(password)
  await letGo(replies)
  expect((await own).statusCode).toBe(200)
})

test('a login waits at most a second for its turn, and that is not a failure', async () => {
  const { owner } = await world.organization()
  hold()
  const first = [stranger('1'), stranger('2')]
  await whenAsked(2)
  const answered: number[] = []
  const late = Array.from({ length: 4 }, () =>
    login(owner.email, 'wrong password', '10.210.1.1').then((reply) => {
      answered.push(reply.statusCode)
      return reply
    }),
  )
  await whenAsked(6)
  vi.advanceTimersByTime(999)
  await setImmediate()
  expect(answered).toEqual([])
  vi.advanceTimersByTime(1)
  for (const reply of await Promise.all(late)) {
    expect([reply.json().code, reply.headers['retry-after']]).toEqual(['overloaded', '1'])
  }
  await letGo(first)
  expect((await login(owner.email, password, '10.210.1.1')).statusCode).toBe(200)
  expect(started).not.toContain('wrong password')
})

test('an organization’s own passwords wait a second at most, and a flood of them harms no other', async () => {
  const { owner } = await world.organization()
  const { owner: other } = await world.organization()
  hold()
  const first = member(owner, 'first')
  await whenAsked(1)
  const flood = Array.from({ length: 30 }, (_, at) => member(owner, `of a flood ${at}`))
  await whenAsked(31)
  vi.advanceTimersByTime(500)
  const late = member(other, 'of another')
  await whenAsked(32)
  vi.advanceTimersByTime(500)
  for (const reply of await Promise.all(flood)) {
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'overloaded'])
    expect(reply.headers['retry-after']).toBe('1')
  }
  await letGo([first])
  expect((await late).statusCode).toBe(201)
  expect(started.filter((text) => text.includes('flood'))).toEqual([])
})
