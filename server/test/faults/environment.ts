import { tmpdir } from 'node:os'
import { inject, onTestFinished } from 'vitest'
import type { PostgresAddress } from '../../src/database/embedded/start.ts'
import { migrate } from '../../src/database/upkeep/migrate.ts'
import type { Plan } from '../../src/values/plans.ts'
import { made, profileOf } from '../support/cases/writes.ts'
import { type Service, serve } from '../support/machines/command-line.ts'
import { openReceiver, type Receiver } from '../support/machines/receiver.ts'
import { openWorld, unlimited } from '../support/world.ts'
import { type Load, type Pace, startLoad } from './load.ts'
import { type OwnPostgres, ownPostgres } from './own-postgres.ts'
import { type TcpLine, tcpLine } from './tcp-line.ts'

/** An organization under load, all of whose events go to the receiver. */
export type Tenant = {
  id: string
  token: string
  profileId: string
  endpointId: string
}

/** The real service in separate processes, on its own PostgreSQL behind a TCP proxy. */
export type Environment = ServicesUnderLoad & { postgres: OwnPostgres }

export type ServicesUnderLoad = {
  line: TcpLine
  receiver: Receiver
  services: Service[]
  /** A new organization. */
  found(options: TenantOptions): Promise<Tenant>
  /** Load on new organizations through all these processes, once it is running, until the test ends. */
  load(pace?: Pace): Promise<RunningLoad>
  close(): Promise<void>
}

/** With the milliseconds that its rounds took before anything was broken. */
export type RunningLoad = Load & { undisturbedMs: number }

type TenantOptions = { plan?: Plan }

type Replica = { env?: Record<string, string>; args?: string[] }

type Options = {
  /** Each process, with its additional environment and arguments. */
  replicas?: readonly Replica[]
  postgres?: OwnPostgres
}

/** A database that runs, and is closed with the services. */
type Running = { readonly address: PostgresAddress; close(): Promise<void> }

const settings = {
  FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
  FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
  FLIGHTDECK_PUBLIC_URL: 'https://flightdeck.example.com',
  ...unlimited,
  FLIGHTDECK_CAPS: 'templates=100000,campaigns=100000',
}

const tenantsEach = 2

export async function openEnvironment({ replicas, ...given }: Options = {}): Promise<Environment> {
  const postgres = given.postgres ?? (await ownPostgres())
  try {
    if (!postgres.isRunning) await postgres.start()
    await migrate(postgres.address)
  } catch (error) {
    await postgres.close()
    throw error
  }
  return { ...(await servicesOn(postgres, replicas)), postgres }
}

/** The same on a database that is migrated already. */
export async function servicesOn(
  postgres: Running,
  replicas: readonly Replica[] = [{}],
): Promise<ServicesUnderLoad> {
  const undo = new AsyncDisposableStack()
  undo.defer(postgres.close)
  const line = await tcpLine(postgres.address)
  undo.defer(line.close)
  const receiver = await openReceiver()
  undo.defer(receiver.close)
  const services: Service[] = []
  undo.defer(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')))
  })

  async function start({ env = {}, args = [] }: Replica): Promise<void> {
    const own = { FLIGHTDECK_DATABASE_URL: line.url, FLIGHTDECK_DATA_DIR: inject('dataDir') }
    const service = await serve(tmpdir(), { ...settings, ...own, ...env }, args)
    services.push(service)
  }

  // Sequentially: the first creates the queue's tables.
  for (const replica of replicas) await start(replica)
  const found = (allOptions: TenantOptions[]) => foundTenants({ postgres, receiver }, allOptions)
  return {
    line,
    receiver,
    services,
    found: async (options) => {
      const [tenant] = await found([options])
      if (!tenant) throw new Error('no organization was made')
      return tenant
    },
    async load(pace) {
      const tenants = await found(Array.from({ length: tenantsEach }, () => ({})))
      const urls = services.map(({ url }) => url)
      const load = startLoad(urls, tenants, pace)
      onTestFinished(load.close)
      return { ...load, undisturbedMs: await load.untilCalm() }
    },
    close: () => undo.disposeAsync(),
  }
}

type Seen = { postgres: Running; receiver: Receiver }

async function foundTenants(
  { postgres, receiver }: Seen,
  allOptions: TenantOptions[],
): Promise<Tenant[]> {
  const world = await openWorld({ address: postgres.address, env: settings })
  try {
    return await Promise.all(
      allOptions.map(async (options) => {
        const organization = await world.organization(options)
        const { id, owner } = organization
        const profileId = await profileOf(organization)
        const body = { url: receiver.url, events: ['*'] }
        const endpointId = await made(owner, '/webhook_endpoints', body)
        return { id, token: owner.token ?? '', profileId, endpointId }
      }),
    )
  } finally {
    await world.close()
  }
}
