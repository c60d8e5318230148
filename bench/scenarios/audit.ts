/**
 * `npm run bench -- audit [--records=5000000]`: verifies and exports one organization's long audit
 * log on the embedded database, while another organization reads.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { lengthenChain } from '../../server/test/support/cases/long-chain.ts'
import { pace, quantile } from '../tools/paced.ts'
import { memoryOf, type Running, startService } from '../tools/processes.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { factLines } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const given = process.argv.find((word) => word.startsWith('--records='))?.split('=')[1]
const records = Number(given ?? (isQuick ? 20_000 : 5_000_000))
const port = 18_085
const readsPerSecond = 50

export async function benchAudit(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const service = await startService(dataDir, port)
    const tenants = await seeded(dataDir)
    const facts = await measureAll(service, tenants)
    await service.stop()
    console.log(factLines(facts).join('\n'))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Two organizations: the first has the long log. */
async function seeded(dataDir: string): Promise<Tenant[]> {
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service’s database is not running')
  const services = await openServices(
    readConfig({ FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }),
    address,
  )
  const size = { organizations: 1, campaignsEach: 100, campaignsOfLargest: 100 }
  const tenants = await seed(services, address, size)
  const begun = performance.now()
  await lengthenChain(address, String(tenants[0]?.id), records)
  console.error(`${records} records in ${seconds(begun)}`)
  await services.database.close()
  return tenants
}

type Facts = (readonly [string, string])[]

async function measureAll(service: Running, [long, other]: Tenant[]): Promise<Facts> {
  if (!long || !other) throw new Error('there are two tenants')
  const paths = ['/audit_logs/verify', '/audit_logs/export', '/audit_logs/export?action=none']
  const facts: Facts = [await alone(service, other)]
  for (const path of paths) facts.push(await beside(service, { path, long, other }))
  return facts
}

const readsOf = ({ token, campaignIds }: Tenant) =>
  pace({
    perSecond: readsPerSecond,
    next: (turn) => ({
      ...{ port, token },
      path: `/api/v1/campaigns/${campaignIds[turn % campaignIds.length]}`,
    }),
  })

async function alone({ pid }: Running, other: Tenant) {
  const reads = readsOf(other)
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const times = (await reads.end()).get(200) ?? []
  return ['no other load', `${latencies(times)}; ${memoryOf(pid)} MB`] as const
}

type Walk = { path: string; long: Tenant; other: Tenant }

async function beside({ pid }: Running, { path, long, other }: Walk) {
  const reads = readsOf(other)
  const memory = watchMemory(pid)
  const begun = performance.now()
  const bytes = await download(path, long.token)
  const took = seconds(begun)
  const times = (await reads.end()).get(200) ?? []
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  return [path, `${took}, ${size}; ${latencies(times)}; at most ${memory.end()} MB`] as const
}

const latencies = (times: readonly number[]) =>
  `reads p50 ${quantile(times, 0.5).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)} ms`

const seconds = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(1)} s`

async function download(path: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers })
  if (!reply.ok || !reply.body) throw new Error(`${path} answered ${reply.status}`)
  let [bytes, last] = [0, '']
  for await (const chunk of reply.body) {
    bytes += chunk.length
    last = new TextDecoder().decode(chunk)
  }
  if (path.endsWith('verify') && !last.includes('"valid":true')) throw new Error(last)
  return bytes
}

/** Peak memory, sampled four times a second. */
function watchMemory(pid: number): { end(): number } {
  let most = memoryOf(pid)
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(pid))
  }, 250)
  return {
    end: () => {
      clearInterval(timer)
      return most
    },
  }
}
