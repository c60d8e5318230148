import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from './environment.ts'
import type { Load } from './load.ts'
import { type OwnPostgres, ownPostgres } from './own-postgres.ts'
import { expectRecovery } from './recovery.ts'
import { smallDisk } from './small-disk.ts'

const disk = smallDisk(160)

describe.skipIf(disk === null)('the disk of PostgreSQL is full', () => {
  let postgres: OwnPostgres
  let scene: Scene

  beforeAll(async () => {
    postgres = await ownPostgres(disk?.path)
    scene = await openScene({ postgres })
  })
  afterAll(async () => {
    await scene.close()
    disk?.remove()
  })

  test('writes are answered 503 until there is space again', async () => {
    const load = await scene.load()
    await disk?.fill()
    await untilTroubled(load)
    // Fills some more of it.
    await sleep(1_000)
    await disk?.makeSpace()
    // If its log had no space PostgreSQL has exited, and its supervisor restarts it.
    if (!postgres.isRunning) await postgres.start()
    await expectRecovery(scene, load)
  }, 60_000)
})

async function untilTroubled({ diary }: Load): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (diary.troubles.length < 20) {
    if (performance.now() > giveUpAt) break
    await sleep(50)
  }
  expect(diary.troubles).not.toEqual([])
}
