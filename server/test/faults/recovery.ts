import { expect } from 'vitest'
import type { Service } from '../support/command-line.ts'
import type { Scene } from './environment.ts'
import { kindsOf } from './incident-log.ts'
import type { Load } from './load.ts'
import { expectNothingLost } from './nothing-lost.ts'

type Bounds = {
  /** Of the cause's end. */
  calmWithinMs?: number
  deliveredWithinMs?: number
  /** What clients may have met; each of them something, where it is not empty. */
  met?: RegExp
  /** Whoever is asked what there is. */
  service?: Service | undefined
}

/** The cause of a fault has ended: all is as it was within ten seconds, and nothing was lost. */
export async function expectRecovery(scene: Scene, load: Load, bounds: Bounds = {}): Promise<void> {
  const { calmWithinMs = 10_000, met = /^503: unavailable$/, service = scene.services[0] } = bounds
  const ms = await load.untilCalm()
  expect(ms).toBeLessThan(calmWithinMs)
  const kinds = Object.keys(kindsOf(load.diary))
  expect(kinds.filter((kind) => !met.test(kind))).toEqual([])
  const { deliveredWithinMs = 20_000 } = bounds
  const { receiver } = scene
  await expectNothingLost(load, { url: service?.url ?? '', receiver, deliveredWithinMs })
}
