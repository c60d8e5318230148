/** Measures a service with a thousand idle event streams: its memory and the speed of its reads. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, type Running } from '../../tools/processes.ts'
import { readOne } from '../../tools/requests.ts'
import type { Tenant } from '../../tools/seed.ts'
import { type Turn, takeTurn, turnRows } from '../../tools/turns.ts'

const isQuick = process.argv.includes('--quick')
const count = isQuick ? 20 : 1_000
const rounds = isQuick ? 1 : 20
const seconds = isQuick ? 0.5 : 1.5
const restMs = 1_000

type Bench = { service: Running; tenants: Tenant[] }
export async function streamsCost({ service, tenants }: Bench) {
  const { port } = service
  const next = readOne(tenants).ours
  const reads = () => takeTurn(service, next, seconds)

  const usedMb = await memoryOfStreams({ service, tenants })
  await reads()
  const alone = [await reads()]
  const beside: Turn[] = []
  for (let round = 0; round < rounds; round += 1) {
    const close = await openStreams({ port, tenants })
    beside.push(await reads())
    close()
    alone.push(await reads())
  }
  const what = `GET /campaigns/:id without · with ${count} streams, in turns`
  return [
    [`memory with ${count} event streams open, above before`, `${usedMb} MB`],
    ...turnRows(what, alone, beside),
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

type Options = { port: number; tenants: Tenant[] }

/**
 * Opens the streams in another process, so they cost the load tool nothing; answers how to close
 * them.
 */
function openStreams({ port, tenants }: Options): Promise<() => void> {
  const task = { port, count, tokens: tenants.map(({ token }) => token) }
  const env = { ...process.env, BENCH_STREAMS: JSON.stringify(task) }
  const holder = fork(join(import.meta.dirname, '../../tools/stream-holder.ts'), { env })
  return new Promise((resolve, reject) => {
    holder.once('message', () => resolve(() => holder.disconnect()))
    holder.once('exit', () => reject(new Error('the streams did not open')))
  })
}
