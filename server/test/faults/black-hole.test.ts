import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './environment.ts'
import { expectRecovery } from './recovery.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

/** Longer than the service waits for a connection, so that it gives some up. */
const lastsMs = 7_000

test('when connections are cut and new ones hang, answers are 503 until they work again', async () => {
  const load = await scene.load()
  const blackHole = scene.line.hang()
  for (const each of scene.line.carried()) each.break('reset')
  await sleep(lastsMs)
  blackHole.end()
  await expectRecovery(scene, load)
  expect(load.diary.troubles).not.toEqual([])
  expect(load.diary.slowestMs).toBeLessThan(15_000)
}, 60_000)
