/**
 * Far more requests than the service can serve, then a day's work without a pause: answers and
 * memory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { flood } from '../../tools/flood.ts'
import { measure } from '../../tools/load.ts'
import type { Outside } from '../../tools/outside.ts'
import { paceFor, quantile } from '../../tools/paced.ts'
import { memoryOf, startService } from '../../tools/processes.ts'
import { create, mixed } from '../../tools/requests.ts'
import type { Tenant } from '../../tools/seed.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_088
const calibrationSeconds = isQuick ? 1 : 5
const floodSeconds = isQuick ? 2 : 60
/** A day at 200 requests a second is 17,280,000; a slower machine does what it can. */
const enduranceSeconds = isQuick ? 4 : 600
const perDay = 24 * 60 * 60 * 200
const connections = isQuick ? 200 : 2_000
const times = 10

type Facts = (readonly [string, string])[]
type Bench = { outside: Outside; tenants: Tenant[] }

/** Creates at ten times the sustainable rate, over 2,000 connections. */
export async function overload({ outside, tenants }: Bench): Promise<Facts> {
  const service = await startService(outside.dataDir, port, outside)
  const next = create(tenants).ours
  await measure({ port, next, seconds: calibrationSeconds })
  const { perSecond } = await measure({ port, next, seconds: calibrationSeconds })
  const idleMb = memoryOf(service.pid)
  const watched = watchMemory(service.pid, 500)
  const offered = perSecond * times
  const seen = await flood({ port, next, connections, perSecond: offered, seconds: floodSeconds })
  const recoveredMs = await recovery(tenants)
  const memory = await watched.end()
  await service.stop()
  const [accepted, refused] = [seen.get('accepted') ?? [], seen.get('refused') ?? []]
  const faulty = seen.get('faulty')?.length ?? 0
  const p99 = (all: number[]) => `${quantile(all, 0.99).toFixed(0)} ms`
  const rate = (all: number[]) => `${(all.length / floodSeconds).toFixed(0)}/s`
  return [
    [
      `creates offered at ${times} × ${perSecond.toFixed(0)}/s: accepted · refused`,
      `${rate(accepted)}, p99 ${p99(accepted)} · ${rate(refused)}, p99 ${p99(refused)}`,
    ],
    ['answers other than 2xx and 503, and lost connections', String(faulty)],
    ['memory before · at most', `${idleMb} MB · ${Math.max(...memory)} MB`],
    ['from the last of them until reads take under 50 ms again', `${recoveredMs.toFixed(0)} ms`],
  ]
}

async function recovery(tenants: Tenant[]): Promise<number> {
  const begun = performance.now()
  const read = (turn: number) => {
    const { token, campaignIds } = tenants[turn % tenants.length] as Tenant
    return { port, path: `/api/v1/campaigns/${campaignIds[0]}`, token }
  }
  for (;;) {
    const took = await paceFor(0.5, { perSecond: 40, next: read })
    const all = took.length >= 18 ? quantile(took, 0.99) : Number.POSITIVE_INFINITY
    if (all < 50) return performance.now() - begun
    await sleep(100)
  }
}

/** Reads, lists and creates, eight to one to one, for ten minutes, at full speed. */
export async function endurance({ outside, tenants }: Bench): Promise<Facts> {
  const service = await startService(outside.dataDir, port, outside)
  const watched = watchMemory(service.pid, (enduranceSeconds * 1000) / 60)
  const next = mixed(tenants)
  const { perSecond, faults } = await measure({ port, next, seconds: enduranceSeconds })
  const memory = await watched.end()
  await service.stop()
  const tenth = Math.ceil(memory.length / 10)
  const [early, late] = [memory.slice(tenth, 2 * tenth), memory.slice(-tenth)]
  const done = perSecond * enduranceSeconds
  const share = `${((100 * done) / perDay).toFixed(0)} % of a day at 200/s`
  return [
    [`requests in ${enduranceSeconds} s · faults`, `${done.toFixed(0)} (${share}) · ${faults}`],
    [
      'memory in the second tenth of that time · in the last',
      `${Math.max(...early)} MB · ${Math.max(...late)} MB`,
    ],
  ]
}

function watchMemory(pid: number, everyMs: number) {
  const seen: number[] = []
  const looking = setInterval(() => seen.push(memoryOf(pid)), everyMs)
  return {
    async end(): Promise<number[]> {
      clearInterval(looking)
      seen.push(memoryOf(pid))
      return seen
    },
  }
}
