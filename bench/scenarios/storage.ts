/**
 * `npm run bench -- storage`: what the limit of stored bytes costs a create. In turns, organizations
 * whose plan has no limit and organizations whose plan has one, far from it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { openServices } from '../../server/src/services.ts'
import { type Running, startService } from '../tools/processes.ts'
import { create } from '../tools/requests.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { factLines } from '../tools/table.ts'
import { type Turn, takeTurn, turnRows } from '../tools/turns.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_091
const seconds = isQuick ? 0.5 : 2
const rounds = isQuick ? 2 : 20
const size = { organizations: 40, campaignsEach: 100, campaignsOfLargest: 100 }
const env = {
  FLIGHTDECK_PLAN_LIMITS: 'zion=100000000,captain=100000000',
  FLIGHTDECK_PLAN_STORAGE: 'zion=none,captain=1TB',
}

export async function benchStorage(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const service = await startService(dataDir, port, { env })
  try {
    const { free, limited } = await seedBoth(dataDir)
    const lines = factLines(await compareTurns(service, { free, limited }))
    console.log([`${cpus().length} cores, Node ${process.versions.node}`, '', ...lines].join('\n'))
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Both = { free: Tenant[]; limited: Tenant[] }

/** The organizations, half of them on the plan with a limit. */
async function seedBoth(dataDir: string): Promise<Both> {
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const config = readConfig({ FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) })
  const services = await openServices(config, address)
  const db = new pg.Client(address)
  await db.connect()
  try {
    const tenants = await seed(services, address, size)
    const half = tenants.length >> 1
    const [free, limited] = [tenants.slice(0, half), tenants.slice(half)]
    const ids = limited.map(({ id }) => id)
    await db.query(`update organizations set plan = 'captain' where id = any($1)`, [ids])
    return { free, limited }
  } finally {
    await db.end()
    await services.database.close()
  }
}

/** The first turn of each, which also measures what is stored, does not count. */
async function compareTurns(service: Running, { free, limited }: Both) {
  const [plain, judged] = [create(free).ours, create(limited).ours]
  await takeTurn(service, judged, seconds)
  await takeTurn(service, plain, seconds)
  const without = [await takeTurn(service, plain, seconds)]
  const during: Turn[] = []
  for (let round = 0; round < rounds; round += 1) {
    during.push(await takeTurn(service, judged, seconds))
    without.push(await takeTurn(service, plain, seconds))
  }
  return turnRows(
    'POST /campaigns without · with a limit of stored bytes, in turns',
    without,
    during,
  )
}
