/** Measures a service with a thousand idle event streams: its memory and the speed of its reads. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measure } from '../tools/load.ts'
import { quantile } from '../tools/paced.ts'
import { cpuMsOf, memoryOf, type Running } from '../tools/processes.ts'
import { readOne } from '../tools/requests.ts'
import type { Tenant } from '../tools/seed.ts'
import { median } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const count = isQuick ? 20 : 1_000
const rounds = isQuick ? 1 : 20
const seconds = isQuick ? 0.5 : 1.5
const restMs = 1_000

type Bench = { service: Running; tenants: Tenant[] }
type Reads = { perSecond: number; cpuUs: number }

/**
 * Alternates, because machines drift: each round is compared with the two around it. Rounds without
 * streams, compared the same way, show how much of the difference is chance.
 */
export async function streamsCost({ service, tenants }: Bench) {
  const { port, pid } = service
  const next = readOne(tenants).ours

  async function reads(): Promise<Reads> {
    await sleep(restMs)
    const cpuMs = cpuMsOf(pid)
    const { perSecond } = await measure({ port, next, seconds })
    return { perSecond, cpuUs: ((cpuMsOf(pid) - cpuMs) * 1000) / (perSecond * seconds) }
  }

  const usedMb = await memoryOfStreams({ service, tenants })
  await reads()
  const alone = [await reads()]
  const beside: Reads[] = []
  for (let round = 0; round < rounds; round += 1) {
    const close = await openStreams({ port, tenants })
    beside.push(await reads())
    close()
    alone.push(await reads())
  }
  const row = (what: string, of: (reads: Reads) => number) => {
    const [without, during] = [alone.map(of), beside.map(of)]
    const chance = spreadOf(without.slice(1, -1), without, without.slice(2))
    const effect = spreadOf(during, without, without.slice(1))
    const [before, after] = [median(without).toFixed(0), median(during).toFixed(0)]
    return [what, `${before} · ${after} (${effect}; by chance ${chance})`] as const
  }
  const what = `GET /campaigns/:id without · with ${count} streams, in turns`
  return [
    [`memory with ${count} event streams open, above before`, `${usedMb} MB`],
    row(`${what}: requests a second`, ({ perSecond }) => perSecond),
    row(`${what}: µs of CPU of the service`, ({ cpuUs }) => cpuUs),
  ] as const
}

async function memoryOfStreams({ service, tenants }: Bench): Promise<number> {
  const idle = memoryOf(service.pid)
  const close = await openStreams({ port: service.port, tenants })
  await sleep(restMs)
  const used = memoryOf(service.pid)
  close()
  return used - idle
}

/** Each value against the mean of its neighbours: the median and the middle half of the ratios. */
function spreadOf(values: number[], before: number[], after: number[]): string {
  const ratios = values.map((value, at) => (2 * value) / ((before[at] ?? 0) + (after[at] ?? 0)))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  return `${middle} ×, ${low} to ${high}`
}

type Options = { port: number; tenants: Tenant[] }

/**
 * Opens the streams in another process, so they cost the load tool nothing; answers how to close
 * them.
 */
function openStreams({ port, tenants }: Options): Promise<() => void> {
  const task = { port, count, tokens: tenants.map(({ token }) => token) }
  const env = { ...process.env, BENCH_STREAMS: JSON.stringify(task) }
  const holder = fork(join(import.meta.dirname, '../tools/stream-holder.ts'), { env })
  return new Promise((resolve, reject) => {
    holder.once('message', () => resolve(() => holder.disconnect()))
    holder.once('exit', () => reject(new Error('the streams did not open')))
  })
}
