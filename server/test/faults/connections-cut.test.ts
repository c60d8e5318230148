import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environment, openEnvironment } from './environment.ts'
import { expectRecovery } from './recovery.ts'

let environment: Environment

beforeAll(async () => {
  environment = await openEnvironment()
})
afterAll(() => environment.close())

test('cutting every database connection, one after the other, loses nothing', async () => {
  const load = await environment.load()
  const carried = environment.line.carried()
  expect(carried.length).toBeGreaterThanOrEqual(8)
  for (const [at, each] of carried.entries()) {
    each.break(at % 2 === 0 ? 'reset' : 'end')
    await sleep(20 + Math.random() * 80)
  }
  await expectRecovery(environment, load)
})

const silence = () => {
  for (const each of environment.line.carried()) each.break('silence')
}

test('connections that all go silent are given up and replaced', async () => {
  const load = await environment.load()
  silence()
  // For nine seconds they look like slow connections.
  await expectRecovery(environment, load, { calmWithinMs: 19_000, deliveredWithinMs: 35_000 })
  expect(load.incidentLog.incidents).not.toEqual([])
  expect(load.incidentLog.slowestMs).toBeLessThan(15_000)
})

test('a process whose connections are silent still stops on request', async () => {
  silence()
  const began = performance.now()
  expect(await environment.services[0]?.stop('SIGTERM')).toBe(0)
  expect(performance.now() - began).toBeLessThan(30_000)
})
