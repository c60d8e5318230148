/**
 * The real service and a bare yardstick side by side, on one embedded database, with one load tool.
 * Compare the ratios: absolute figures depend on the machine.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { compare, type Effort, type Pair } from '../tools/compare.ts'
import { measure } from '../tools/load.ts'
import { memoryOf, type Running, startService, startYardstick } from '../tools/processes.ts'
import { create, list, onePage, readOne } from '../tools/requests.ts'
import { type Size, seed, type Tenant } from '../tools/seed.ts'
import { median, printReport, type Report } from '../tools/table.ts'

const isQuick = process.argv.includes('--quick')
const size: Size = isQuick
  ? { organizations: 20, campaignsEach: 50, campaignsOfLargest: 2_000 }
  : { organizations: 1_000, campaignsEach: 100, campaignsOfLargest: 50_000 }
const effort: Effort = isQuick ? { seconds: 0.5, rounds: 1 } : { seconds: 5, rounds: 3 }
const farPage = isQuick ? 60 : 2_000
/** Longer than the service takes to release what only its start needed. */
const idleForMs = 10_000
const port = 18_080

export async function benchCore(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    printReport(await run(dataDir))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function run(dataDir: string): Promise<Report> {
  const first = await startService(dataDir, port)
  await first.stop()
  const service = await startService(dataDir, port)
  await sleep(idleForMs)
  const idleMb = memoryOf(service.pid)
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const tenants = await seed(services, address, size)
  const yardstick = await startYardstick(address)
  try {
    const report = await compareAll({ service, yardstick }, tenants)
    const loadedMb = memoryOf(service.pid)
    const startMs = { first: first.readyMs, restart: service.readyMs }
    return { ...report, startMs, memoryMb: { idle: idleMb, loaded: loadedMb } }
  } finally {
    await services.database.close()
    await yardstick.stop()
    await service.stop()
  }
}

async function compareAll(pair: Pair, tenants: Tenant[]): Promise<Pick<Report, 'rows' | 'pages'>> {
  const small = tenants.slice(0, -1)
  const [largest] = tenants.slice(-1)
  const [single] = small
  if (!largest || !single) throw new Error('there are no tenants')
  const rows = [
    await compare('GET /campaigns/:id', pair, { requests: readOne(small), effort }),
    await compare('GET /campaigns?limit=25', pair, { requests: list(small), effort }),
    await compare('POST /campaigns', pair, { requests: create(small), effort }),
    await compare('GET /campaigns/:id, one organization', pair, {
      requests: readOne([single]),
      effort,
    }),
    await compare('POST /campaigns, one organization', pair, {
      requests: create([single]),
      effort,
    }),
  ]
  return { rows, pages: await comparePages(pair.service, largest) }
}

async function comparePages(service: Running, tenant: Tenant): Promise<Report['pages']> {
  const far = onePage(tenant, await cursorOf(service, tenant, farPage))
  const near = onePage(tenant, null)
  const times = { near: [] as number[], far: [] as number[] }
  for (let round = 0; round < effort.rounds; round += 1) {
    times.near.push(
      (await measure({ port: service.port, next: near, seconds: effort.seconds })).p50,
    )
    times.far.push((await measure({ port: service.port, next: far, seconds: effort.seconds })).p50)
  }
  return { far: farPage, nearMs: median(times.near), farMs: median(times.far) }
}

/** The cursor of a page, found by walking there as a client would. */
async function cursorOf({ port }: Running, { token }: Tenant, page: number): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  let cursor = ''
  for (let at = 1; at < page; at += 1) {
    const query = cursor === '' ? 'limit=25' : `limit=25&cursor=${cursor}`
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/campaigns?${query}`, { headers })
    const { meta } = (await reply.json()) as { meta: { next_cursor: string } }
    cursor = meta.next_cursor
  }
  return cursor
}
