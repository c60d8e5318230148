import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { backgroundOf } from '../../test/support/machines/background.ts'
import { migratedDatabase } from '../../test/support/machines/fresh-database.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { purgeSessions } from '../features/auth/retention.ts'
import { jobs } from '../features/work.ts'

let world: World
let client: pg.Client

beforeAll(async () => {
  world = await openWorld()
  client = new pg.Client(inject('address'))
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await world.close()
})

const signal = () => AbortSignal.timeout(10_000)

const countOf = async (table: string, organizationId: string) => {
  const sql = `select count(*)::int as count from ${table} where organization_id = $1`
  return (await client.query(sql, [organizationId])).rows[0].count
}

/**
 * Ages rows instead of advancing the clock: a purge affects all organizations, and so other tests.
 */
const age = (column: string, { id, hours }: { id: string; hours: number }) => {
  const time = new Date(world.clock.now().getTime() - hours * 60 * 60 * 1000)
  return client.query(`update ${column} = $2 where organization_id = $1`, [id, time])
}

test('sessions are purged 30 days after they ended or expired', async () => {
  for (const end of ['ended_at', 'expires_at']) {
    const { id } = await world.organization()
    await age(`sessions set ${end}`, { id, hours: 29 * 24 })
    await purgeSessions(world.services, signal())
    expect(await countOf('sessions', id)).toBe(1)
    await age(`sessions set ${end}`, { id, hours: 31 * 24 })
    await purgeSessions(world.services, signal())
    expect(await countOf('sessions', id)).toBe(0)
  }
})

test('two replicas start the queue at once, share its jobs, and stop quickly', async () => {
  // A database of its own: deliveries of other tests would take their time to end.
  const { address, query, drop } = await migratedDatabase()
  const replicas = await Promise.all([openWorld({ address }), openWorld({ address })])
  const backgrounds = replicas.map(({ services }) => backgroundOf({ services, address }))
  for (const { services } of replicas) {
    await vi.waitFor(async () => {
      expect((await services.observability.readiness.report()).checks.queue).toBe('running')
    }, 20_000)
  }
  const scheduled = await query('select name, timezone from pgboss.schedule order by name')
  expect(scheduled).toEqual(jobs.map(({ name }) => ({ name, timezone: 'UTC' })).sort(byName))
  const began = performance.now()
  await Promise.all(backgrounds.map((background) => background.stop()))
  expect(performance.now() - began).toBeLessThan(10_000)
  for (const replica of replicas) await replica.close()
  await drop()
})

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

test('when the queue cannot start the service is not ready, and says so', async () => {
  const address = { connectionString: 'postgres://unknown@127.0.0.1:1/none' }
  const background = backgroundOf({ services: world.services, address })
  await vi.waitFor(async () => {
    const { ready, checks } = await world.services.observability.readiness.report()
    expect({ ready, queue: checks.queue }).toEqual({ ready: false, queue: 'failed' })
  }, 20_000)
  await background.stop()
  expect((await world.services.observability.readiness.report()).ready).toBe(true)
})

test('a draining process is not ready', async () => {
  const world = await openWorld()
  expect((await world.services.observability.readiness.report()).ready).toBe(true)
  world.services.observability.readiness.drain()
  expect(await world.services.observability.readiness.report()).toMatchObject({
    ready: false,
    draining: true,
  })
  await world.close()
})
