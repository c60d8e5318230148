import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environment, openEnvironment } from './environment.ts'
import { expectRecovery } from './recovery.ts'

let environment: Environment

beforeAll(async () => {
  environment = await openEnvironment()
})
afterAll(() => environment.close())

const ends = {
  'is stopped': () => environment.postgres.stop(),
  'is killed with -9': () => environment.postgres.kill(),
}

test.each(Object.entries(ends))(
  'PostgreSQL %s under load, and starts again',
  async (_, end) => {
    const load = await environment.load()
    await end()
    await environment.postgres.start()
    await expectRecovery(environment, load)
    expect(load.incidentLog.incidents).not.toEqual([])
  },
  60_000,
)
