import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { DatabaseAddress } from '../../../src/database/address.ts'
import { type Bus, startBus } from '../../../src/signals/bus.ts'
import type { FakeClock } from '../../../src/values/clock.ts'
import { openWorld, type World } from '../world.ts'

/** One of several processes on a database, with its bus. */
export type Replica = World & {
  bus: Bus
  /** Lines that its bus has logged. */
  busLogged: Record<string, unknown>[]
  /** How often it invalidated everything: each time that it started to listen. */
  readonly misses: number
}

type Options = {
  address: DatabaseAddress
  clock?: FakeClock
  /** The address for its bus, if different. */
  busAddress?: DatabaseAddress
  env?: Record<string, string>
}

export async function openReplica({ busAddress, ...options }: Options): Promise<Replica> {
  const world = await openWorld(options)
  const busLogged: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line) => void busLogged.push(JSON.parse(line)) })
  let misses = 0
  world.services.signals.subscribe(
    () => {},
    () => {
      misses += 1
    },
  )
  const { services } = world
  const bus = startBus({ services, address: busAddress ?? options.address, logger })
  return {
    ...world,
    bus,
    busLogged,
    get misses() {
      return misses
    },
    close: async () => {
      await bus.stop()
      await world.close()
    },
  }
}

const pollMs = 5

/** Milliseconds until the condition holds, by the real clock; fails after `withinMs`. */
export async function msUntil(
  isSo: () => boolean | Promise<boolean>,
  withinMs = 5_000,
): Promise<number> {
  const begun = process.hrtime.bigint()
  for (;;) {
    const passedMs = Number(process.hrtime.bigint() - begun) / 1e6
    if (await isSo()) return passedMs
    if (passedMs > withinMs) throw new Error(`still not so after ${withinMs} ms`)
    await sleep(pollMs)
  }
}

/**
 * The median of three measurements, each on data of its own. Other work on the machine can make these
 * late as well: a test of a short bound polls the median (`expect.poll`). A delay of the service's own
 * makes every one late.
 */
export async function medianOf(measure: () => Promise<number>): Promise<number> {
  const measured = [await measure(), await measure(), await measure()].sort((a, b) => a - b)
  return Number(measured[1])
}
