import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './environment.ts'
import { expectRecovery } from './recovery.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const ends = {
  'is stopped': () => scene.postgres.stop(),
  'is killed with -9': () => scene.postgres.kill(),
}

test.each(Object.entries(ends))(
  'PostgreSQL %s under load, and starts again',
  async (_, end) => {
    const load = await scene.load()
    await end()
    await scene.postgres.start()
    await expectRecovery(scene, load)
    expect(load.diary.troubles).not.toEqual([])
  },
  60_000,
)
