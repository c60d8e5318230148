import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Environment, openEnvironment } from './environment.ts'
import type { Load } from './load.ts'
import { type OwnPostgres, ownPostgres } from './own-postgres.ts'
import { expectRecovery } from './recovery.ts'
import { smallDisk } from './small-disk.ts'

const disk = smallDisk(160)

describe.skipIf(disk === null)('the disk of PostgreSQL is full', () => {
  let postgres: OwnPostgres
  let environment: Environment

  beforeAll(async () => {
    postgres = await ownPostgres(disk?.path)
    environment = await openEnvironment({ postgres })
  })
  afterAll(async () => {
    await environment.close()
    disk?.remove()
  })

  const readiness = async () =>
    JSON.parse(await (await fetch(`${environment.services[0]?.url}/readyz`)).text()).checks

  test('writes are answered 503 until there is space again', async () => {
    const load = await environment.load()
    await disk?.fill()
    await untilTroubled(load)
    await vi.waitFor(
      async () => expect(await readiness()).toMatchObject({ writes: 'failed' }),
      10_000,
    )
    // Fills some more of it.
    await sleep(1_000)
    await disk?.makeSpace()
    // If its log had no space PostgreSQL has exited, and its supervisor restarts it.
    if (!postgres.isRunning) await postgres.start()
    await expectRecovery(environment, load)
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ writes: 'ok' }), 10_000)
  })
})

async function untilTroubled({ incidentLog }: Load): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (incidentLog.incidents.length < 20) {
    if (performance.now() > giveUpAt) break
    await sleep(50)
  }
  expect(incidentLog.incidents).not.toEqual([])
}
