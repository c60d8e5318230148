import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environment, openEnvironment } from './environment.ts'
import { expectRecovery } from './recovery.ts'

let environment: Environment

beforeAll(async () => {
  environment = await openEnvironment()
})
afterAll(() => environment.close())

/** Longer than the service waits for a connection, so that it gives some up. */
const lastsMs = 7_000

test('when connections are cut and new ones hang, answers are 503 until they work again', async () => {
  const load = await environment.load()
  const blackHole = environment.line.hang()
  for (const each of environment.line.carried()) each.break('reset')
  await sleep(lastsMs)
  blackHole.end()
  await expectRecovery(environment, load)
  expect(load.incidentLog.incidents).not.toEqual([])
  expect(load.incidentLog.slowestMs).toBeLessThan(15_000)
})
