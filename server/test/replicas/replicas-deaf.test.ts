import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Line, lineTo } from '../support/machines/flaky-connection.ts'
import { type FreshDatabase, migratedDatabase } from '../support/machines/fresh-database.ts'
import { poolerTo } from '../support/machines/pooler.ts'
import { medianOf, msUntil, openReplica, type Replica } from '../support/machines/replica.ts'
import { clientOf, unlimited } from '../support/world.ts'

// Time passes here: without notifications, changes are found by polling within a second.

const env = unlimited
const boundMs = 1_000
const soonMs = 300

let database: FreshDatabase
let here: Replica

beforeAll(async () => {
  database = await migratedDatabase()
  here = await openReplica({ address: database.address, env })
  await msUntil(() => here.misses > 0)
})
afterAll(async () => {
  await here.close()
  await database.drop()
})

/** How long a user disabled at one process is still accepted at the other. */
async function msUntilRefused(other: Replica, one = here): Promise<number> {
  const { owner, as } = await one.organization()
  const user = await as('viewer')
  const elsewhere = clientOf(other.app, user)
  expect((await elsewhere.get('/campaigns')).statusCode).toBe(200)
  const reply = await owner.put(`/members/${user.userId}`, { disabled: true })
  expect(reply.statusCode).toBe(200)
  return msUntil(async () => (await elsewhere.get('/campaigns')).statusCode === 401)
}

const warningsOf = ({ busLogged }: Replica) => busLogged.filter(({ level }) => level === 40)

type Loss = { lose(line: Line): Promise<void>; bringBack(line: Line): Promise<void> }

const losses: Record<string, Loss> = {
  'is away': { lose: (line) => line.shut(), bringBack: (line) => line.open() },
  // Only existing connections: the process then opens a new one.
  'swallows everything': { lose: async (line) => line.swallow(), bringBack: async () => {} },
}

/** Silence is detected only by a query, and the next connection may be silent too. */
const noticedWithin = { timeout: 30_000, interval: 20 }

test.each(Object.entries(losses))(
  'when the connection for notifications %s, a process notices within a second and reconnects',
  async (_, { lose, bringBack }) => {
    const line = await lineTo(database.address)
    const options = { address: database.address, busAddress: line.address, clock: here.clock, env }
    const there = await openReplica(options)
    await msUntil(() => there.misses > 0)
    await lose(line)
    await expect.poll(() => medianOf(() => msUntilRefused(there))).toBeLessThan(boundMs)
    await expect.poll(() => warningsOf(there).length, noticedWithin).toBe(1)
    await bringBack(line)
    await expect.poll(() => there.misses, noticedWithin).toBeGreaterThan(1)
    expect(warningsOf(there)).toHaveLength(1)
    await expect.poll(() => medianOf(() => msUntilRefused(there))).toBeLessThan(soonMs)
    await there.close()
    await line.close()
  },
  70_000,
)

test('behind a transaction pooler it logs once that it receives nothing, and continues', async () => {
  const pooler = await poolerTo(database.address)
  const there = await openReplica({ address: pooler.address, clock: here.clock, env })
  await msUntil(() => warningsOf(there).length > 0)
  expect(warningsOf(there)).toMatchObject([
    { reason: expect.stringContaining('PgBouncer in transaction mode') },
  ])
  expect(there.misses).toBe(0)
  await expect.poll(() => medianOf(() => msUntilRefused(there))).toBeLessThan(boundMs)
  // Processes that can receive are notified of its changes.
  await expect.poll(() => medianOf(() => msUntilRefused(here, there))).toBeLessThan(soonMs)
  expect(warningsOf(there)).toHaveLength(1)
  await there.close()
  await pooler.close()
})
