import { expect } from 'vitest'
import type { Service } from '../support/machines/command-line.ts'
import { running } from './careful-client.ts'
import type { RunningLoad, ServicesUnderLoad } from './environment.ts'
import { kindsOf } from './incident-log.ts'
import { expectNothingLost } from './nothing-lost.ts'

type Bounds = {
  /** Milliseconds since the cause ended in which clients may meet incidents. */
  calmWithinMs?: number
  deliveredWithinMs?: number
  /** The incidents that clients may meet; if any are listed, at least one must occur. */
  met?: RegExp
  /** The service whose API is used to check the result. */
  service?: Service | undefined
}

/** After the cause has ended, everything recovers within ten seconds and nothing is lost. */
export async function expectRecovery(
  environment: ServicesUnderLoad,
  load: RunningLoad,
  bounds: Bounds = {},
): Promise<void> {
  const {
    calmWithinMs = 10_000,
    met = /^503: unavailable$/,
    service = environment.services[0],
  } = bounds
  const began = performance.now()
  const ms = await load.untilCalm()
  const { at: lastIncidentAt } = load.incidentLog.incidents.at(-1) ?? { at: began }
  expect(lastIncidentAt - began).toBeLessThan(calmWithinMs)
  // The rounds take as long as before, which is the machine's part.
  expect(ms).toBeLessThan(calmWithinMs + load.undisturbedMs)
  const kinds = Object.keys(kindsOf(load.incidentLog))
  expect(kinds.filter((kind) => kind !== running && !met.test(kind))).toEqual([])
  const { deliveredWithinMs = 20_000 } = bounds
  const { receiver } = environment
  await expectNothingLost(load, { url: service?.url ?? '', receiver, deliveredWithinMs })
}
