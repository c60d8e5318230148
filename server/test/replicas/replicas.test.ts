import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { madeKey } from '../support/api-keys.ts'
import { listen, openStream } from '../support/event-stream.ts'
import { run } from '../support/machines/command-line.ts'
import { type FreshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'
import { medianOf, msUntil, openReplica, type Replica } from '../support/machines/replica.ts'
import {
  type Client,
  clientOf,
  type Reply,
  type TestOrganization,
  unlimited,
} from '../support/world.ts'

// Caches never expire and nothing polls: all changes arrive as notifications.
vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })

const env = unlimited
const soonMs = 300

let database: FreshDatabase
let here: Replica
let there: Replica

beforeAll(async () => {
  database = await migratedDatabase()
  here = await openReplica({ address: database.address, env })
  there = await openReplica({ address: database.address, env, clock: here.clock })
  await msUntil(() => here.misses > 0 && there.misses > 0)
})
afterEach(() => {
  expect([...here.busLogged, ...there.busLogged].filter(({ level }) => level === 40)).toEqual([])
})
afterAll(async () => {
  await here.close()
  await there.close()
  await database.drop()
  vi.useRealTimers()
})

type Case = {
  who(organization: TestOrganization): Promise<Client>
  change(organization: TestOrganization, who: Client): Promise<Reply>
  status: number
}

const viewer = (organization: TestOrganization) => organization.as('viewer')
const put = (body: object) => (organization: TestOrganization, who: Client) =>
  organization.owner.put(`/members/${who.userId}`, body)

/** A key with the id of the user who made it. */
const keyOfAdmin = async (organization: TestOrganization): Promise<Client> => {
  const maker = await organization.as('admin')
  const { client } = await madeKey(here, maker)
  return { ...client, userId: maker.userId }
}

const cases: Record<string, Case> = {
  'a logout': {
    who: viewer,
    change: (_, who) => who.delete('/auth/logout'),
    status: 401,
  },
  'a role that was taken away': {
    who: (organization) => organization.as('admin'),
    change: put({ role: 'editor' }),
    status: 403,
  },
  'a disabled user': { who: viewer, change: put({ disabled: true }), status: 401 },
  'a key whose maker was disabled': {
    who: keyOfAdmin,
    change: put({ disabled: true }),
    status: 401,
  },
  'a key whose maker has another role': {
    who: keyOfAdmin,
    change: put({ role: 'editor' }),
    status: 403,
  },
  'a revoked key': {
    who: async ({ owner }) => {
      const { id, client } = await madeKey(here, owner)
      return { ...client, userId: id }
    },
    change: ({ owner }, { userId }) => owner.delete(`/api_keys/${userId}`),
    status: 401,
  },
}

describe('every process is soon notified of', () => {
  test.each(Object.entries(cases))('%s', async (_, { who, change, status }) => {
    const msToHear = async () => {
      const organization = await here.organization()
      const client = await who(organization)
      const elsewhere = clientOf(there.app, client)
      const path = status === 403 ? '/members' : '/campaigns'
      expect((await elsewhere.get(path)).statusCode).toBe(200)
      expect((await change(organization, client)).statusCode).toBeLessThan(300)
      return msUntil(async () => (await elsewhere.get(path)).statusCode === status, 2_000)
    }
    await expect.poll(() => medianOf(msToHear)).toBeLessThan(soonMs)
  })

  test('changes by the command line', async () => {
    const { id, owner } = await here.organization()
    const body = { name: 'A', defaults: {} }
    const elsewhere = clientOf(there.app, owner)
    expect((await elsewhere.post('/templates', body)).statusCode).toBe(201)
    const settings = {
      FLIGHTDECK_DATABASE_URL: urlOf(database),
      FLIGHTDECK_DATA_DIR: inject('dataDir'),
    }
    const { code, stderr } = await run(tmpdir(), ['orgs', 'suspend', id], settings)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect((await elsewhere.post('/templates', body)).statusCode).toBe(403)
  })
})

test('a stream shows at once what another process commits', async () => {
  const { owner } = await here.organization()
  const stream = await openStream(await listen(there.app), owner)
  await stream.block()
  let count = 0
  const msToShow = async () => {
    count += 1
    const begun = process.hrtime.bigint()
    await owner.patch('/organization', { name: `Renamed ${count}` })
    const [event] = await stream.events(1)
    expect(event?.data.object.name).toBe(`Renamed ${count}`)
    return Number(process.hrtime.bigint() - begun) / 1e6
  }
  await expect.poll(() => medianOf(msToShow)).toBeLessThan(soonMs)
  await stream.hangUp()
})

test('a listening connection closed by the server is replaced, and all caches are invalidated', async () => {
  const { owner, as } = await here.organization()
  const user = await as('viewer')
  const elsewhere = clientOf(there.app, user)
  await elsewhere.get('/campaigns')
  const misses = [here, there].map((replica) => replica.misses)
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'flightdeck bus'`
  const ended = await database.query(sql)
  expect(ended).toHaveLength(2)
  await owner.put(`/members/${user.userId}`, { disabled: true })
  const refused = async () => (await elsewhere.get('/campaigns')).statusCode === 401
  await msUntil(refused, 2_000)
  await msUntil(() => [here, there].every((each, at) => each.misses > Number(misses[at])))
  const msToHear = async () => {
    const other = await as('viewer')
    const again = clientOf(there.app, other)
    await again.get('/campaigns')
    await owner.put(`/members/${other.userId}`, { disabled: true })
    return msUntil(async () => (await again.get('/campaigns')).statusCode === 401, 2_000)
  }
  await expect.poll(() => medianOf(msToHear)).toBeLessThan(soonMs)
  for (const each of [here, there]) each.busLogged.length = 0
})

test('a single process publishes nothing until another one starts', async () => {
  const own = await migratedDatabase()
  const spy = new pg.Client(own.address)
  await spy.connect()
  await spy.query('listen flightdeck')
  const said: string[] = []
  spy.on('notification', ({ payload = '' }) => void said.push(payload))
  const alone = await openReplica({ address: own.address, env })
  await msUntil(() => alone.misses > 0)
  const publishes = async (name: string) => {
    const { id, owner } = await alone.organization({ name })
    await owner.post('/templates', { name: 'A', defaults: {} })
    await new Promise((resolve) => setTimeout(resolve, 100))
    return said.some((text) => text.includes(id))
  }
  expect(await publishes('at first')).toBe(true)
  vi.advanceTimersByTime(36_000)
  expect(await publishes('alone')).toBe(false)
  const other = await openReplica({ address: own.address, env, clock: alone.clock })
  await msUntil(() => other.misses > 0)
  expect(await publishes('not alone')).toBe(true)
  await other.close()
  await alone.close()
  await spy.end()
  await own.drop()
})
