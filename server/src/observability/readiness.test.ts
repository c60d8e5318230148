import { expect, test, vi } from 'vitest'
import type { Reader } from '../database/database.ts'
import { readMigrations } from '../database/upkeep/migrate.ts'
import { type LimitsState, readinessOf } from './readiness.ts'

/** A database that answers when allowed, and counts its queries. */
function slowDatabase() {
  const asked: PromiseWithResolvers<unknown[]>[] = []
  const query = () => {
    const answer = Promise.withResolvers<unknown[]>()
    asked.push(answer)
    return answer.promise
  }
  return { asked, reader: { query } as unknown as Reader }
}

test('simultaneous requests share one check, which is cached', async () => {
  const { asked, reader } = slowDatabase()
  const limits = vi.fn(async (): Promise<LimitsState> => 'ok')
  const { report } = readinessOf(reader, { limits })
  const reports = Array.from({ length: 100 }, () => report())
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000)
  reports.push(report())
  asked[0]?.reject(new Error('gone'))
  for (const each of await Promise.all(reports)) {
    expect(each).toMatchObject({ ready: false, checks: { database: 'failed' } })
  }
  await report()
  expect([asked.length, limits.mock.calls.length]).toEqual([1, 1])
  // It checks again half a second later.
  await vi.waitFor(() => {
    void report()
    expect(asked).toHaveLength(2)
  }, 20_000)
  asked[1]?.resolve([])
  expect((await report()).checks).toMatchObject({ database: 'ok', migrations: 'failed' })
})

test('the state of the process itself shows at once', async () => {
  const { asked, reader } = slowDatabase()
  const readiness = readinessOf(reader)
  const first = readiness.report()
  readiness.setQueue('running')
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000)
  asked[0]?.resolve([])
  expect(await first).toMatchObject({ draining: false, checks: { queue: 'running' } })
  readiness.setQueue('failed')
  readiness.drain()
  expect(await readiness.report()).toMatchObject({
    ready: false,
    draining: true,
    checks: { queue: 'failed' },
  })
  expect(asked).toHaveLength(1)
})

test('a process that listens, but still starts, is not ready', async () => {
  const { asked, reader } = slowDatabase()
  const readiness = readinessOf(reader)
  readiness.setStarting(true)
  const first = readiness.report()
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000)
  asked[0]?.resolve(await readMigrations())
  expect(await first).toMatchObject({ ready: false, checks: { migrations: 'ok' } })
  readiness.setStarting(false)
  expect(await readiness.report()).toMatchObject({ ready: true })
})
