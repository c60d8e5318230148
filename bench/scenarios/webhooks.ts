/**
 * `npm run bench -- webhooks`: latency and throughput of webhooks, and their cost to other
 * requests. Runs the real service on its embedded database; receivers are separate processes.
 */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { type Client, clientFor } from '../tools/client.ts'
import { latenciesOf } from '../tools/latency.ts'
import { quantile } from '../tools/paced.ts'
import { type Running, startService } from '../tools/processes.ts'
import { startReceiver } from '../tools/receivers.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { median } from '../tools/table.ts'
import { streamsCost } from './parts/streams.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_081
const seconds = isQuick ? 1 : 10
const backlog = isQuick ? 200 : 10_000
const hangingCount = 20
const paced = { perSecond: 50, seconds }
/** A p99 is five events of 500, so one pause of any kind determines it. */
const rounds = isQuick ? 1 : 5

type Bench = { service: Running; address: DatabaseAddress; db: pg.Client; tenants: Tenant[] }

export async function benchWebhooks(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const rows = await run(dataDir)
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    console.log(['| what | measured |', '|---|---:|', ...rows.map(rowText)].join('\n'))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const rowText = ([what, measured]: readonly [string, string]) => `| ${what} | ${measured} |`

async function run(dataDir: string): Promise<(readonly [string, string])[]> {
  const service = await startService(dataDir, port)
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const size = { organizations: 20, campaignsEach: 100, campaignsOfLargest: 100 }
  const tenants = await seed(services, address, size)
  const db = new pg.Client(address)
  await db.connect()
  const bench = { service, address, db, tenants }
  try {
    return [
      await latency(bench),
      await isolation(bench),
      await drain(bench),
      await outboxCost(bench),
      ...(await streamsCost(bench)),
    ]
  } finally {
    await db.end()
    await services.database.close()
    await service.stop()
  }
}

const tenantAt = ({ tenants }: Bench, at: number): Client => {
  const tenant = tenants[at]
  if (!tenant) throw new Error('there are too few tenants')
  return clientFor(port, tenant)
}

const ms = (value: number) => `${value.toFixed(1)} ms`

async function latency(bench: Bench) {
  const receiver = await startReceiver()
  const client = tenantAt(bench, 0)
  await client.subscribe(receiver.url)
  const times = await latenciesOf(client, { receiver, ...paced })
  receiver.stop()
  const what = `request of a change to its arrival at the receiver, ${paced.perSecond}/s: p50 · p99`
  return [what, `${ms(quantile(times, 0.5))} · ${ms(quantile(times, 0.99))}`] as const
}

/** Each round uses fresh endpoints that have not failed yet. */
async function isolation(bench: Bench) {
  const [receiver, hanging] = [await startReceiver(), await startReceiver('--hang')]
  const p99 = async (client: Client) =>
    quantile(await latenciesOf(client, { receiver, ...paced }), 0.99)
  const [before, beside]: [number[], number[]] = [[], []]
  const alone = tenantAt(bench, 1)
  await alone.subscribe(receiver.url)
  for (let round = 0; round < rounds; round += 1) before.push(await p99(alone))
  for (let round = 0; round < rounds; round += 1) {
    const crowded = tenantAt(bench, 4 + round)
    await crowded.subscribe(receiver.url)
    const ids = await Promise.all(
      Array.from({ length: hangingCount }, () => crowded.subscribe(hanging.url)),
    )
    beside.push(await p99(crowded))
    for (const id of ids) await crowded.unsubscribe(id)
  }
  receiver.stop()
  hanging.stop()
  const [apart, together] = [median(before), median(beside)]
  const what = `p99 of a healthy endpoint alone · beside ${hangingCount} that hang, ${rounds} times`
  return [what, `${ms(apart)} · ${ms(together)} (${(together / apart).toFixed(2)} ×)`] as const
}

/** Three rounds: the first also warms the code up. */
async function drain(bench: Bench) {
  const [ours, bare]: [number[], number[]] = [[], []]
  for (const tenant of [2, 3, 9].slice(0, rounds)) {
    const drained = await drainOnce(bench, tenantAt(bench, tenant))
    ours.push(drained.ours)
    bare.push(drained.bare)
  }
  const ratio = median(ours.map((rate, round) => rate / (bare[round] ?? Number.NaN)))
  const rates = [ours, bare].map((all) => `${median(all).toFixed(0)}/s`).join(' · ')
  return [
    `drain of ${backlog} waiting deliveries · bare loop that posts the same, three times`,
    `${rates} (${ratio.toFixed(2)} ×)`,
  ] as const
}

async function drainOnce(bench: Bench, client: Client) {
  const receiver = await startReceiver()
  const endpoint = await client.subscribe(receiver.url)
  const hold = (until: string) =>
    bench.db.query(`update webhook_endpoints set paused_until = ${until} where id = $1`, [endpoint])
  await hold(`now() + interval '1 day'`)
  for (let made = 0; made < backlog; made += 20) {
    await Promise.all(Array.from({ length: 20 }, () => client.makeCampaign()))
  }
  const [body] = await client.eventBodies(1)
  // The service checks every second for pauses that ended: the drain begins with the first arrival.
  await hold('now()')
  while ((await receiver.count()) < backlog) await sleep(20)
  const ours = rateOf(Object.values(await receiver.take()))
  const bare = await bareLoop(receiver.url, body ?? '')
  receiver.stop()
  await client.unsubscribe(endpoint)
  return { ours, bare }
}

/** Arrivals per second, from the first to the last. */
const rateOf = (times: number[]) =>
  ((times.length - 1) * 1000) / (Math.max(...times) - Math.min(...times))

function bareLoop(url: string, body: string): Promise<number> {
  const task = { origin: new URL(url).origin, body, count: backlog, atOnce: 10 }
  const env = { ...process.env, BENCH_POST: JSON.stringify(task) }
  const child = fork(join(import.meta.dirname, '../tools/poster.ts'), { env })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { perSecond: number }).perSecond))
    child.once('error', reject)
  })
}

/** Reads the head of an organization with and without its endpoints, of which it has none. */
async function outboxCost({ db, tenants }: Bench) {
  const head = 'h.audit_sequence, h.audit_hash, h.event_sequence, h.counts'
  const from = 'from organization_heads h where h.organization_id = $1'
  const subscribers = `(select jsonb_agg(jsonb_build_object('id', w.id, 'events', w.events))
    from webhook_endpoints w where w.organization_id = h.organization_id) as subscribers`
  const ids = tenants.slice(10).map(({ id }) => id)
  const timeOf = async (name: string, text: string) => {
    const begun = performance.now()
    for (let turn = 0; turn < 2_000; turn += 1) {
      await db.query({ name, text, values: [ids[turn % ids.length]] })
    }
    return ((performance.now() - begun) / 2_000) * 1000
  }
  const differences: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const plain = await timeOf('plain', `select ${head} ${from}`)
    differences.push((await timeOf('with', `select ${head}, ${subscribers} ${from}`)) - plain)
  }
  const post = await timePost(clientFor(port, tenants[10] as Tenant))
  const cost = median(differences)
  const share = `${cost.toFixed(0)} µs of ${post.toFixed(0)} µs (${((100 * cost) / post).toFixed(1)} %)`
  return ['outbox on POST /campaigns with no endpoint', share] as const
}

async function timePost(client: Client): Promise<number> {
  const begun = performance.now()
  for (let turn = 0; turn < 300; turn += 1) await client.makeCampaign()
  return ((performance.now() - begun) / 300) * 1000
}
