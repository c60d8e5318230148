import { PgBoss } from 'pg-boss'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { backgroundOf } from '../../test/support/machines/background.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const job = 'rate-limits.purge'

/** Moves the job's due time into the past. */
async function makeDue(): Promise<void> {
  const boss = new PgBoss({ ...world.database.address, schema: 'pgboss' })
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue(job, { policy: 'exclusive' })
  await boss.send(job)
  await boss.stop({ graceful: false })
}

test('a job that fails is logged with its reason, and counted', async () => {
  const { services, database } = world
  const lines: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  await database.query('alter table rate_limits rename to lost')
  await makeDue()
  const background = backgroundOf({ services, address: database.address, logger })
  const counts = () => services.observability.counters.jobs.get(job)
  await vi.waitFor(() => expect(counts()).toEqual({ succeeded: 0, failed: 1 }), 20_000)
  expect(services.observability.counters.jobs.get('partitions.make')).toEqual({
    succeeded: 0,
    failed: 0,
  })
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 50,
      job,
      err: expect.objectContaining({ message: expect.stringContaining('"rate_limits"') }),
      msg: 'a job failed',
    }),
  )
  await background.stop()
})
