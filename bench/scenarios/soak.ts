/**
 * `npm run bench -- soak [--minutes 30]`: everything clients do, 120 requests a second, for a long time.
 * Is the rate held, and all at its end as in its fifth minute? Does memory level off, and is everything
 * closed once the clients are gone?
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { findRunningEmbedded } from '../../server/src/database/embedded/start.ts'
import { createOrganization } from '../../server/src/features/organizations/create.ts'
import { openServices } from '../../server/src/services.ts'
import { clientFor } from '../tools/client.ts'
import { type Running, startService } from '../tools/processes.ts'
import { startReceiver } from '../tools/receivers.ts'
import { seed, type Tenant } from '../tools/seed.ts'
import { type Held, isAtMost, metricsToken, most, readHeld } from '../tools/vitals.ts'
import { type Clients, requestsPerSecond, startLoad } from './soak/load.ts'
import { readFor } from './soak/readings.ts'
import { reportOf, type Soaked } from './soak/report.ts'

const isQuick = process.argv.includes('--quick')
const port = 18_090
const defaultMinutes = isQuick ? 0.75 : 30
/** Connections to receivers of webhooks are kept for 10 s. */
const restMs = 15_000
/** Connections for transactions that read what they have written are kept for 60 s. */
const goneWithinMs = 90_000
const connectSeconds = 5
const subscribed = 5
/** Too high to be reached. */
const caps = 'campaigns=100000000,templates=100000000,change_sets=100000000,webhook_endpoints=21'
/** Nothing listens on this port. */
const deadUrl = 'http://127.0.0.1:9/hook'

export async function benchSoak(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  try {
    const { lines, broken } = reportOf(await run(dataDir))
    console.log(lines.join('\n'))
    for (const bound of broken) console.error(bound)
    if (broken.length > 0) process.exitCode = 1
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function minutesGiven(): number {
  const at = process.argv.indexOf('--minutes')
  const minutes = at === -1 ? defaultMinutes : Number(process.argv[at + 1])
  if (!(minutes > 0)) throw new Error('--minutes takes a number above 0')
  return minutes
}

async function run(dataDir: string): Promise<Soaked> {
  const minutes = minutesGiven()
  const env = { FLIGHTDECK_METRICS_TOKEN: metricsToken, FLIGHTDECK_CAPS: caps }
  const service = await startService(dataDir, port, { env })
  const address = await findRunningEmbedded(dataDir)
  if (!address) throw new Error('the service runs no embedded database')
  const clients = await arrangeClients(dataDir, address)
  const receiver = await startReceiver()
  await subscribe(clients.tenants, receiver.url)
  const db = new pg.Client(address)
  await db.connect()
  try {
    return await soak({ service, db, clients }, minutes)
  } finally {
    await db.end()
    receiver.stop()
    await service.stop()
  }
}

async function arrangeClients(dataDir: string, address: DatabaseAddress): Promise<Clients> {
  const env = { FLIGHTDECK_DATA_DIR: dataDir, FLIGHTDECK_PORT: String(port) }
  const services = await openServices(readConfig(env), address)
  const size = { organizations: 19, campaignsEach: 50, campaignsOfLargest: 500 }
  const tenants = await seed(services, address, size)
  const person = { email: 'soak@example.com', password: 'correct horse battery staple' }
  const owner = { ...person, name: 'Bench' }
  const actor = { type: 'cli', id: null, name: 'bench' } as const
  await createOrganization(services, actor, { name: 'Soak', plan: 'zion', owner })
  await services.database.close()
  return { port, tenants, person }
}

/**
 * Some organizations have an endpoint that accepts everything; one has an endpoint that is
 * unreachable.
 */
async function subscribe(tenants: readonly Tenant[], url: string): Promise<void> {
  for (const [at, tenant] of tenants.slice(0, subscribed).entries()) {
    await clientFor(port, tenant).subscribe(at === 0 ? deadUrl : url)
  }
}

type Bench = { service: Running; db: pg.Client; clients: Clients }

async function soak({ service, db, clients }: Bench, minutes: number): Promise<Soaked> {
  await connectEverything(clients)
  const before = await heldAtRest(service, db)
  const load = startLoad(clients)
  const read = await readFor(minutes, { service, db, load })
  const outcome = await load.end()
  const after = await heldOnceBackTo(before, service, db)
  return { minutes, perSecond: requestsPerSecond, ...read, outcome, before, after }
}

/** Database connections are opened on first use and stay open. */
async function connectEverything(clients: Clients): Promise<void> {
  const load = startLoad(clients)
  await sleep(connectSeconds * 1000)
  await load.end()
  await sleep(restMs)
}

/** The maximum of several readings: jobs come and go. */
async function heldAtRest(service: Running, db: pg.Client): Promise<Held> {
  let found = await readHeld(service, db)
  for (let reading = 0; reading < 5; reading += 1) {
    await sleep(1_000)
    found = most(found, await readHeld(service, db))
  }
  return found
}

/** The first reading that is back at the baseline, or else the last one. */
async function heldOnceBackTo(before: Held, service: Running, db: pg.Client): Promise<Held> {
  const begun = performance.now()
  for (;;) {
    const found = await readHeld(service, db)
    if (isAtMost(found, before) || performance.now() - begun > goneWithinMs) return found
    await sleep(1_000)
  }
}
