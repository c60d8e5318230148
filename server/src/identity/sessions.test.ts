import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { medianOf, msUntil } from '../../test/support/machines/replica.ts'
import {
  type Client,
  clientOf,
  openWorld,
  unlimited,
  type World,
} from '../../test/support/world.ts'
import type { Reader } from '../database/database.ts'
import { builder } from '../database/tables/kysely.ts'
import { signals } from '../signals/signals.ts'
import { type Sessions, sessionsFrom } from './sessions.ts'
import type { Claims } from './tokens.ts'

/** A database with sessions, and the statements that have reached it. */
type Store = {
  reader: Reader
  /** The sessions in each statement. */
  asked: string[][]
  gone: Set<string>
  name: string
  fault: Error | null
  /** While set, answers wait for it; their data was read before. */
  held: PromiseWithResolvers<void> | null
}

function storeOf(): Store {
  const store: Store = {
    // The only part of a reader that sessions use.
    reader: { kysely: builder as unknown as Reader['kysely'], query: query as Reader['query'] },
    asked: [],
    gone: new Set(),
    name: 'Ada',
    fault: null,
    held: null,
  }
  async function query({ parameters }: { parameters: readonly unknown[] }): Promise<unknown[]> {
    const ids = [parameters[1]].flat() as string[]
    store.asked.push(ids)
    const { fault, name, held } = store
    const rows = ids.filter((id) => !store.gone.has(id)).map((id) => ({ id, user_name: name }))
    await held?.promise
    if (fault) throw fault
    return rows
  }
  return store
}

const claimsOf = (at: number): Claims => ({
  organizationId: `org_${at}`,
  sessionId: `ses_${at}`,
  userId: `usr_${at}`,
  tokenId: `tok_${at}`,
  role: 'viewer',
  issuedAt: 0,
  expiresAt: 0,
})

const thousand = Array.from({ length: 1_000 }, (_, at) => claimsOf(at))
const useAll = (sessions: Sessions) => Promise.all(thousand.map(sessions.find))
const ada = claimsOf(1)
const sizes = ({ asked }: Store) => asked.map((ids) => ids.length)

/** Time passes only when a test lets it. */
function standingStill(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('sessions in use', () => {
  standingStill()

  test('use memory only while they are in use', async () => {
    const sessions = sessionsFrom(storeOf().reader, signals())
    await useAll(sessions)
    expect(sessions.size()).toBe(thousand.length)
    await pass(31_000)
    await sessions.find(claimsOf(thousand.length))
    expect(sessions.size()).toBe(1)
  })

  test('are read in batches, and no request waits for that', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await useAll(sessions)
    expect(store.asked.length).toBe(1_000)
    store.asked.length = 0
    for (let passedMs = 0; passedMs < 10_000; passedMs += 100) {
      await useAll(sessions)
      await pass(100)
    }
    expect(new Set(sizes(store))).toEqual(new Set([200]))
    // 10 s in batches every 0.4 s, or 0.5 s when no request follows.
    expect(store.asked.length).toBeGreaterThanOrEqual(5 * 20)
    expect(store.asked.length).toBeLessThanOrEqual(5 * 25)
  })

  test('have the state of the latest batch', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    const nameOf = async () => (await sessions.find(ada))?.userName
    expect([await nameOf(), await nameOf()]).toEqual(['Ada', 'Ada'])
    store.name = 'Grace'
    await pass(399)
    expect(await nameOf()).toBe('Ada')
    await pass(1)
    expect([await nameOf(), store.asked.length]).toEqual(['Grace', 2])
  })

  test('leave out those unused since the previous batch', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    for (const claims of [ada, claimsOf(2), ada, claimsOf(2)]) await sessions.find(claims)
    await pass(400)
    await sessions.find(ada)
    await pass(400)
    expect(store.asked.slice(2)).toEqual([['ses_1', 'ses_2'], ['ses_1']])
  })

  test('requested during a batch are in the next one, once', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await sessions.find(ada)
    await sessions.find(ada)
    store.held = Promise.withResolvers()
    await pass(400)
    await sessions.find(ada)
    store.held.resolve()
    await pass(100)
    await sessions.find(ada)
    await pass(400)
    expect(store.asked.slice(1)).toEqual([['ses_1'], ['ses_1']])
  })

  test('that do not exist leave no timer', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await sessions.find(ada)
    expect(vi.getTimerCount()).toBe(0)
    await sessions.find(ada)
    expect(vi.getTimerCount()).toBe(1)
    await pass(400)
    expect(vi.getTimerCount()).toBe(0)
    await pass(60_000)
    expect(store.asked.length).toBe(2)
  })

  test('that are closed leave no timer', async () => {
    const sessions = sessionsFrom(storeOf().reader, signals())
    await sessions.find(ada)
    await sessions.find(ada)
    sessions.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('are no longer read by timers once closed, even during a batch', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await useAll(sessions)
    await useAll(sessions)
    store.asked.length = 0
    store.held = Promise.withResolvers()
    await pass(400)
    sessions.close()
    store.held.resolve()
    await pass(60_000)
    expect([sizes(store), vi.getTimerCount()]).toEqual([[200], 0])
    expect((await sessions.find(ada))?.userName).toBe('Ada')
    await sessions.find(ada)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('while notifications arrive, sessions', () => {
  standingStill()

  test('are not read again for half a minute', async () => {
    const store = storeOf()
    const reported = signals()
    const sessions = sessionsFrom(store.reader, reported)
    for (let passedMs = 0; passedMs < 61_000; passedMs += 100) {
      if (passedMs % 300 === 0) reported.advanceWatermark(performance.now())
      expect((await sessions.find(ada))?.userName).toBe('Ada')
      await pass(100)
    }
    expect(store.asked.length).toBe(2)
  })

  test('are read again in a batch, once the listener disconnects', async () => {
    const store = storeOf()
    const reported = signals()
    const sessions = sessionsFrom(store.reader, reported)
    await sessions.find(ada)
    await pass(10_000)
    reported.advanceWatermark(performance.now())
    store.name = 'Grace'
    await pass(500)
    expect((await sessions.find(ada))?.userName).toBe('Ada')
    await pass(399)
    expect((await sessions.find(ada))?.userName).toBe('Ada')
    await pass(1)
    expect([(await sessions.find(ada))?.userName, store.asked.length]).toEqual(['Grace', 2])
  })

  test('keep the state that they had when read: earlier notifications do not count', async () => {
    const store = storeOf()
    const reported = signals()
    reported.advanceWatermark(performance.now())
    await pass(800)
    const sessions = sessionsFrom(store.reader, reported)
    await sessions.find(ada)
    store.name = 'Grace'
    await pass(899)
    expect((await sessions.find(ada))?.userName).toBe('Ada')
    await pass(1)
    expect((await sessions.find(ada))?.userName).toBe('Grace')
  })
})

describe('a state', () => {
  standingStill()

  test('is read once for all requests that wait for it', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    const found = await Promise.all([1, 2, 3].map(() => sessions.find(ada)))
    expect(found.map((state) => state?.id)).toEqual(['ses_1', 'ses_1', 'ses_1'])
    expect(store.asked).toEqual([['ses_1']])
  })

  test('is used for 0.9 s when batches fail; then the request gets the error', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await sessions.find(ada)
    store.fault = new Error('no database')
    for (const passedMs of [300, 300, 299]) {
      expect((await sessions.find(ada))?.userName).toBe('Ada')
      await pass(passedMs)
    }
    expect((await sessions.find(ada))?.userName).toBe('Ada')
    await pass(1)
    await expect(sessions.find(ada)).rejects.toThrow('no database')
    Object.assign(store, { fault: null, name: 'Grace' })
    expect((await sessions.find(ada))?.userName).toBe('Grace')
    const asked = store.asked.length
    // A failed batch is followed by another.
    await sessions.find(ada)
    await pass(400)
    expect(store.asked.length).toBe(asked + 1)
  })

  test('is as old as its query, however late the answer came', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await sessions.find(ada)
    await sessions.find(ada)
    store.held = Promise.withResolvers()
    await pass(400)
    await pass(800)
    store.held.resolve()
    await pass(99)
    await sessions.find(ada)
    expect(store.asked.length).toBe(2)
    await pass(1)
    await sessions.find(ada)
    expect(store.asked.length).toBe(3)
  })

  test('of a late batch does not replace a newer one read by a request', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await sessions.find(ada)
    await sessions.find(ada)
    const held = Promise.withResolvers<void>()
    store.held = held
    await pass(400)
    Object.assign(store, { held: null, name: 'Grace' })
    await pass(500)
    expect((await sessions.find(ada))?.userName).toBe('Grace')
    held.resolve()
    await pass(0)
    expect((await sessions.find(ada))?.userName).toBe('Grace')
    expect(store.asked.length).toBe(3)
  })

  test('read in a batch before the organization was invalidated is not used afterwards', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    const others = claimsOf(2)
    for (const claims of [ada, others, ada, others]) await sessions.find(claims)
    store.held = Promise.withResolvers()
    await pass(400)
    sessions.forget(ada.organizationId)
    store.name = 'Grace'
    store.held.resolve()
    await pass(0)
    expect((await sessions.find(ada))?.userName).toBe('Grace')
    expect((await sessions.find(others))?.userName).toBe('Ada')
    expect(store.asked.length).toBe(4)
  })

  test('read by a request before the organization was invalidated is not used afterwards', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    store.held = Promise.withResolvers()
    const before = sessions.find(ada)
    sessions.forget(ada.organizationId)
    store.name = 'Grace'
    store.held.resolve()
    expect([(await before)?.userName, (await sessions.find(ada))?.userName]).toEqual([
      'Ada',
      'Grace',
    ])
  })

  test('of a missing session is used for 0.9 s, and then there is none', async () => {
    const store = storeOf()
    const sessions = sessionsFrom(store.reader, signals())
    await sessions.find(ada)
    await sessions.find(ada)
    store.gone.add(ada.sessionId)
    await pass(899)
    expect((await sessions.find(ada))?.userName).toBe('Ada')
    await pass(1)
    expect(await sessions.find(ada)).toBeUndefined()
  })
})

describe('two processes', () => {
  let one: World
  let other: World

  beforeAll(async () => {
    const env = unlimited
    one = await openWorld({ env })
    other = await openWorld({ env, clock: one.clock })
  })
  afterAll(async () => {
    await one.close()
    await other.close()
  })

  const status = async (client: Client) => (await client.get('/auth/me')).statusCode
  const roleOf = async (client: Client) => (await client.get('/auth/me')).json().user.role

  test('see within a second what ended at the other, however busy the session is', async () => {
    const msToSee = async () => {
      const { owner, as } = await one.organization()
      const [leaving, changing] = [await as('editor'), await as('editor')]
      const clients = [owner, leaving, changing].map((each) => clientOf(other.app, each))
      const [staying, left, changed] = clients as [Client, Client, Client]
      const begun = performance.now()
      // From now on these sessions are read in batches.
      await msUntil(async () => {
        for (const client of clients) expect(await status(client)).toBe(200)
        return performance.now() - begun > 1_000
      })
      expect((await leaving.delete('/auth/logout')).statusCode).toBe(204)
      const goneMs = await msUntil(async () => (await status(left)) === 401)
      await owner.patch(`/members/${changing.userId}`, { role: 'viewer' })
      const changedMs = await msUntil(async () => (await roleOf(changed)) === 'viewer')
      expect(await status(staying)).toBe(200)
      return Math.max(goneMs, changedMs)
    }
    await expect.poll(() => medianOf(msToSee)).toBeLessThan(1_000)
  })
})
