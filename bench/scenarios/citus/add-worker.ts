import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../../../server/test/support/machines/own-cluster.ts'
import { campaignUnder } from '../../tools/client.ts'
import { pace, quantile } from '../../tools/paced.ts'
import type { Tenant } from '../../tools/seed.ts'
import { distribute, openSide, query, type Side } from './side.ts'

/** The latency of requests before a third worker is added, and while shards move to it. */
export async function addWorker({
  port,
  seconds,
}: {
  port: number
  seconds: number
}): Promise<void> {
  const cluster = await startCluster(3)
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const third = `'127.0.0.1', ${cluster.port + 3}`
  try {
    await query(cluster.url, `select citus_remove_node(${third})`)
    await distribute(cluster.url)
    const side = await openSide(cluster.url, dataDir, port)
    const rest = requestsTo(side)
    await sleep(seconds * 2_000)
    console.log(`\nBefore a worker is added: ${await latenciesOfBoth(rest)}`)
    const beside = requestsTo(side)
    const begun = performance.now()
    await query(cluster.url, `select citus_add_node(${third})`)
    await query(cluster.url, `select citus_rebalance_start(rebalance_strategy := 'by_shard_count')`)
    await query(cluster.url, 'select citus_rebalance_wait()')
    const taken = ((performance.now() - begun) / 1_000).toFixed(0)
    console.log(`While shards move to it, ${taken} s: ${await latenciesOfBoth(beside)}`)
    await side.service.stop()
  } finally {
    await cluster.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Reads and creations of all tenants in turn, 40 a second each. */
function requestsTo({ service: { port }, tenants }: Side) {
  const tenantOf = (turn: number) => tenants[turn % tenants.length] as Tenant
  const path = '/api/v1/campaigns'
  return {
    GET: pace({
      perSecond: 40,
      next: (turn) => ({ port, path: `${path}?limit=25`, token: tenantOf(turn).token }),
    }),
    POST: pace({
      perSecond: 40,
      next: (turn) => {
        const { token, profileId } = tenantOf(turn)
        return { port, path, token, method: 'POST', body: campaignUnder(profileId) }
      },
    }),
  }
}

async function latenciesOfBoth(sent: ReturnType<typeof requestsTo>): Promise<string> {
  const texts = await Promise.all(
    Object.entries(sent).map(async ([method, pacing]) => {
      const answers = await pacing.end()
      const done = [...answers].flatMap(([status, times]) => (status < 300 ? times : []))
      const others = [...answers].filter(([status]) => status >= 300)
      const refused = others.map(([status, times]) => `, ${times.length} × ${status}`).join('')
      const [p50, p99] = [quantile(done, 0.5), quantile(done, 0.99)]
      return `${method} p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${refused}`
    }),
  )
  return texts.join('; ')
}
