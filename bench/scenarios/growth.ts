/**
 * `npm run bench -- growth`: every list, sort, filter, sum and count of an organization with 10,000
 * campaigns and of one with 100,000, on the embedded database, and those that miss their goal:
 * 50 ms, and 2.5 times as long as in the smaller one. `--strict` then ends with exit code 1.
 * `--console` also opens the console of the larger one in Chromium, each screen within a second.
 * `--data=<directory>` keeps what was loaded for the next run, `--only=<text>` reads what has it, and
 * `--fastest` takes the fastest instead of the median, on a machine that is busy.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { readConfig } from '../../server/src/config/config.ts'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { fill } from '../tools/growth/fill.ts'
import { type Known, readsOf } from '../tools/growth/reads.ts'
import { startService } from '../tools/processes.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { median } from '../tools/table.ts'
import { readLargeConsole } from './parts/large-console.ts'

const isQuick = process.argv.includes('--quick')
const takesFastest = process.argv.includes('--fastest')
const isStrict = process.argv.includes('--strict')
const opensConsole = process.argv.includes('--console')
const option = (name: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

const port = 18_091
const sizes = isQuick ? { few: 200, many: 2_000 } : { few: 10_000, many: 100_000 }
const days = isQuick ? 40 : 400
const rounds = isQuick ? 2 : 9
const goal = { ms: 50, times: 2.5 }
/** A read that takes longer is made only twice. */
const tooLongMs = 500
/** The time below which noise of the machine is larger than growth. */
const noiseMs = 5

type Grown = { tenant: Tenant; known: Known }
type Loaded = { few: Grown; many: Grown }

export async function benchGrowth(): Promise<void> {
  const kept = option('data')
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'flightdeck-bench-')))
  const service = await startService(dataDir, port)
  try {
    const address = await findRunningEmbedded(dataDir)
    if (!address) throw new Error('the service runs no embedded database')
    const loaded = await loadedIn(dataDir, address)
    console.log(`${cpus().length} cores, Node ${process.versions.node}\n`)
    await compareAll(loaded)
    if (opensConsole) await openConsole(loaded.many)
  } finally {
    await service.stop()
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true })
  }
}

async function openConsole({ tenant }: Grown): Promise<void> {
  const { lines, isGood } = await readLargeConsole(`http://127.0.0.1:${port}`, tenant.token)
  console.log(`\n${lines.join('\n')}`)
  if (isStrict && !isGood) process.exitCode = 1
}

async function loadedIn(dataDir: string, address: DatabaseAddress): Promise<Loaded> {
  const file = join(dataDir, 'growth.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const begun = performance.now()
  const others = { organizations: 20, campaignsEach: 100, campaignsOfLargest: 0 }
  const tenants = await seed(services, address, others)
  const [few, many] = [tenants.at(-2), tenants.at(-1)]
  if (!few || !many) throw new Error('there are no tenants')
  const place = { services, address }
  const loaded = {
    few: { tenant: few, known: await fill(place, few, { campaigns: sizes.few, days }) },
    many: { tenant: many, known: await fill(place, many, { campaigns: sizes.many, days }) },
  }
  await services.database.close()
  await vacuum(address)
  await writeFile(file, JSON.stringify(loaded))
  console.error(`loaded in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  return loaded
}

async function vacuum(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

type Reading = { what: string; few: number; many: number }

async function compareAll({ few, many }: Loaded): Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 })
  const [own, others] = [readsOf(many.known), readsOf(few.known)]
  const chosen = own.flatMap((path, at) =>
    path.includes(option('only') ?? '') ? [[path, others[at] ?? path] as const] : [],
  )
  const readings: Reading[] = []
  for (const [path, other] of chosen) {
    const inFew = await timed(pool, few.tenant, other)
    const inMany = await timed(pool, many.tenant, path)
    readings.push({ what: shortened(path), few: inFew, many: inMany })
  }
  await pool.close()
  print(readings)
}

async function timed(pool: Pool, tenant: Tenant, path: string): Promise<number> {
  const first = await read(pool, tenant, path)
  const times: number[] = []
  const enough = first > tooLongMs ? 1 : rounds
  while (times.length < enough) times.push(await read(pool, tenant, path))
  return takesFastest ? Math.min(...times) : median(times)
}

/** Answers infinity where the service gives up. */
async function read(pool: Pool, { token }: Tenant, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const begun = performance.now()
  const reply = await pool.request({ path: `/api/v1${path}`, method: 'GET', headers })
  const text = await reply.body.text()
  const took = performance.now() - begun
  if (reply.statusCode === 503) return Number.POSITIVE_INFINITY
  if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${text}`)
  return took
}

/** Without the random part of ids. */
const shortened = (path: string) => path.replaceAll(/_[0-9a-z]{26}/g, '_…')

const isSlow = ({ few, many }: Reading) =>
  many > goal.ms || (many > noiseMs && many > goal.times * few)

function print(readings: readonly Reading[]): void {
  const slow = readings.filter(isSlow)
  const lines = [
    `| GET | ${sizes.few.toLocaleString('en')} | ${sizes.many.toLocaleString('en')} | ratio | |`,
    '|---|---:|---:|---:|---|',
    ...readings.map(lineOf),
    '',
    `${slow.length} of ${readings.length} reads miss the goal: ${goal.ms} ms, and ${goal.times} × where they take over ${noiseMs} ms`,
  ]
  console.log(lines.join('\n'))
  if (isStrict && slow.length > 0) process.exitCode = 1
}

function lineOf(reading: Reading): string {
  const { what, few, many } = reading
  const ratio = Number.isFinite(many / few) ? `${(many / few).toFixed(1)} ×` : ''
  const figures = [few, many].map((ms) => (Number.isFinite(ms) ? `${ms.toFixed(1)} ms` : '503'))
  return `| \`${what}\` | ${figures.join(' | ')} | ${ratio} | ${isSlow(reading) ? 'over' : ''} |`
}
