import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './environment.ts'
import { expectRecovery } from './recovery.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

test('cutting every database connection, one after the other, loses nothing', async () => {
  const load = await scene.load()
  const carried = scene.line.carried()
  expect(carried.length).toBeGreaterThanOrEqual(8)
  for (const [at, each] of carried.entries()) {
    each.break(at % 2 === 0 ? 'reset' : 'end')
    await sleep(20 + Math.random() * 80)
  }
  await expectRecovery(scene, load)
}, 60_000)

const silence = () => {
  for (const each of scene.line.carried()) each.break('silence')
}

test('connections that all go silent are given up and replaced', async () => {
  const load = await scene.load()
  silence()
  // For nine seconds they look like slow connections.
  await expectRecovery(scene, load, { calmWithinMs: 19_000, deliveredWithinMs: 35_000 })
  expect(load.diary.troubles).not.toEqual([])
  expect(load.diary.slowestMs).toBeLessThan(15_000)
}, 90_000)

test('a process whose connections are silent still stops on request', async () => {
  silence()
  const began = performance.now()
  expect(await scene.services[0]?.stop('SIGTERM')).toBe(0)
  expect(performance.now() - began).toBeLessThan(30_000)
}, 60_000)
