/** Part of `npm run bench -- connectors`: a large take-over, many deployments that do nothing, and reports of 100. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import pg from 'pg'
import { openLog, openMetrics, runConnector } from '../../../connectors/kit/src/connect.ts'
import { simAdapter } from '../../../connectors/sim/adapter.ts'
import type { SimNetwork } from '../../../connectors/sim/network/server.ts'
import { findRunningEmbedded } from '../../../server/src/database/embedded/start.ts'
import { quantile } from '../../tools/paced.ts'
import type { Running } from '../../tools/processes.ts'
import { type Memory, readMemory } from '../../tools/vitals.ts'

const isQuick = process.argv.includes('--quick')
const deployments = isQuick ? 200 : 10_000
const restSeconds = isQuick ? 5 : 120
/** Ten minutes have all that comes by the clock: an inventory is sent again after so long. */
const idleSeconds = isQuick ? 5 : 600
const reportRounds = isQuick ? 5 : 100
const perReport = 100
const perTakeOver = isQuick ? 200 : 1_000

export type IdleBench = {
  owner: Flightdeck
  network: SimNetwork
  /** Ends the service, and starts another on the same data. */
  restart(): Promise<Running>
  dataDir: string
  baseUrl: string
  account: { profileId: string; key: string; accountRef: string }
}

type Facts = (readonly [string, string])[]

/**
 * Fills an account, takes all of it over, and leaves it alone with its connector. What the service
 * takes at rest is compared between two that have just started, before and after; both have a connector.
 */
export async function measureIdle(bench: IdleBench): Promise<Facts> {
  const stop = new AbortController()
  const running = connect(bench, stop.signal)
  const before = await idle(bench, restSeconds)
  const takeOver = await fill(bench)
  await untilSynced(bench)
  await sleep(isQuick ? 3_000 : 130_000)
  const after = await idle(bench, idleSeconds)
  stop.abort()
  await running
  return [takeOver, ...factsOf(before, after), ...(await measureReports(bench))]
}

type Idle = { statements: number; records: number; memory: Memory }

/** Statements and audit records of some time in which no one does anything. */
async function idle({ restart, dataDir }: IdleBench, seconds: number): Promise<Idle> {
  const service = await restart()
  await sleep(isQuick ? 1_000 : 30_000)
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const db = new pg.Client(address)
  await db.connect()
  try {
    const begun = await countsOf(db)
    await sleep(seconds * 1_000)
    const ended = await countsOf(db)
    return {
      // Reading the counts is a statement, too.
      statements: (ended.statements - begun.statements - 1) / seconds,
      records: ended.records - begun.records,
      memory: await readMemory(service),
    }
  } finally {
    await db.end()
  }
}

const countsSql = `
  select (select sum(xact_commit + xact_rollback) from pg_stat_database
      where datname = current_database())::float8 as statements,
    (select count(*) from audit_logs)::float8 as records`

async function countsOf(db: pg.Client): Promise<{ statements: number; records: number }> {
  const { rows } = await db.query(countsSql)
  return rows[0]
}

function factsOf(before: Idle, after: Idle): Facts {
  const more = after.statements - before.statements
  const memoryMore = (['stable', 'heap', 'resident'] as const)
    .map((kind) => `${(after.memory[kind] - before.memory[kind]).toFixed(0)} MB`)
    .join(' · ')
  return [
    [`${deployments} idle deployments: transactions a second more`, more.toFixed(2)],
    [`audit records in ${idleSeconds} s`, String(after.records)],
    ['memory more, without the young generation · live objects · resident', memoryMore],
  ]
}

const connect = ({ network, baseUrl, account }: IdleBench, stop: AbortSignal) =>
  runConnector(
    {
      flightdeck: createFlightdeck({ baseUrl, token: account.key }),
      adapter: simAdapter({ url: network.url }),
      instance: 'idle',
      profileIds: [account.profileId],
      readCredential: async () => 'sim',
      ...(isQuick && { pollMs: 1_000 }),
      log: openLog(() => {}),
      metrics: openMetrics(),
    },
    stop,
  )

/** The connector has to have seen them before they are taken over; answers how long that takes. */
async function fill({ owner, network, account }: IdleBench): Promise<Facts[number]> {
  const ids = Array.from({ length: deployments }, (_, at) =>
    network.control.add(account.accountRef, { name: `Idle ${at}`, daily_budget_minor: 1_000 }),
  )
  const [last = ''] = ids.slice(-1)
  const isSeen = async () =>
    (
      await owner.profiles.listNetworkCampaigns(account.profileId, { q: `Idle ${ids.length - 1}` })
    ).data.some(({ network_object_id }) => network_object_id === last)
  while (!(await isSeen())) await sleep(500)
  const begun = performance.now()
  for (let at = 0; at < ids.length; at += perTakeOver) {
    const network_object_ids = ids.slice(at, at + perTakeOver)
    await owner.profiles.takeOverCampaigns(account.profileId, { network_object_ids })
  }
  const seconds = (performance.now() - begun) / 1_000
  return [`${ids.length} campaigns taken over`, `${seconds.toFixed(1)} s`]
}

/** The first look after a take-over finds what each is. */
async function untilSynced({ owner, account }: IdleBench): Promise<void> {
  const pending = { profile_id: account.profileId, state: 'pending', limit: 1 } as const
  while ((await owner.deployments.list(pending)).data.length > 0) await sleep(500)
}

/** Observations that are what was seen before. */
async function measureReports({ owner, baseUrl, account }: IdleBench): Promise<Facts> {
  const connector = createFlightdeck({ baseUrl, token: account.key }).connector
  const lease = await connector.takeLease({
    instance: 'reporting',
    adapter: 'bench',
    adapter_version: '1.0.0',
    platform: 'sim',
    api_version: '1',
    profile_ids: [account.profileId],
    ttl_seconds: 300,
  })
  const named = { lease_id: lease.lease_id, fence: lease.fence }
  const known = await owner.deployments
    .list({ profile_id: account.profileId, limit: 100 })
    .toArray({ limit: perReport })
  const reports = known.map(({ id, generation, observed }) => ({
    deployment_id: id,
    generation,
    outcome: 'observed' as const,
    ...(observed && { observed }),
  }))
  const times: number[] = []
  for (let round = 0; round < reportRounds; round += 1) {
    const begun = performance.now()
    await connector.reportWork({ ...named, profile_id: account.profileId, reports })
    times.push(performance.now() - begun)
  }
  await connector.releaseLease(lease.lease_id)
  const ms = (share: number) => `${quantile(times, share).toFixed(0)} ms`
  return [[`reports of ${reports.length}, p50 · p99`, `${ms(0.5)} · ${ms(0.99)}`]]
}
