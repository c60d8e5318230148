import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { inject } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import type { DatabaseAddress } from '../../src/database/address.ts'
import type { Resolve } from '../../src/egress/resolver.ts'
import { openSession } from '../../src/features/auth/login.ts'
import { addUser } from '../../src/features/members/members.ts'
import { createOrganization } from '../../src/features/organizations/create.ts'
import { type Digest, passwordHasher } from '../../src/identity/passwords.ts'
import type { Role } from '../../src/identity/permissions.ts'
import { administration, type Context, type Services } from '../../src/kernel/context.ts'
import { inTransaction } from '../../src/kernel/transaction.ts'
import { openDeadlines } from '../../src/limits/deadlines.ts'
import { openServices } from '../../src/services.ts'
import { type FakeClock, fakeClock } from '../../src/values/clock.ts'
import type { Plan } from '../../src/values/plans.ts'
import { txtRecords } from './clients/txt-records.ts'
import { hangUpOnStreams } from './hang-up-on-streams.ts'
import { holdToSchemas } from './hold-to-schemas.ts'

export const password = 'correct horse battery staple'

/** For tests that need more than any plan allows. */
export const unlimited = { FLIGHTDECK_PLAN_LIMITS: 'zion=1000000' }

export type WorldOptions = {
  env?: Record<string, string>
  clock?: FakeClock
  address?: DatabaseAddress
  /** Addresses of new webhook endpoints' names; none by default. */
  resolve?: Resolve
  /** Differences from the services of a real process. */
  alter?: (services: Services) => Services
}

/** The real app on the run's real PostgreSQL; close it after the file's tests. */
export type World = {
  app: FastifyInstance
  services: Services
  clock: FakeClock
  config: Config
  /** Lines that the app has logged, as objects. */
  logged: Record<string, unknown>[]
  organization(options?: OrganizationOptions): Promise<TestOrganization>
  /** A client without a credential. */
  anonymous: Client
  close(): Promise<void>
}

type OrganizationOptions = { plan?: Plan; name?: string; sandbox?: boolean }

export type TestOrganization = {
  id: string
  owner: Client
  /** A client for a new user of this role. */
  as(role: Role): Promise<Client>
  /** A transaction of the service itself, for state that no endpoint sets. */
  ctx: Context
}

export type Reply = LightMyRequestResponse

type Fault = { pointer?: string; parameter?: string; code: string }

/** The pointers and codes of a reply's faults. */
export const faultsOf = (reply: Reply): string[] =>
  reply
    .json<{ errors: Fault[] }>()
    .errors.map(({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`)

export type Client = {
  token: string | null
  userId: string
  email: string
  get(path: string, headers?: Headers): Promise<Reply>
  post(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  put(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  delete(path: string, headers?: Headers): Promise<Reply>
  /** Any request; a relative path is below /api/v1. */
  call(options: InjectOptions & { url: string }): Promise<Reply>
}

type Headers = Record<string, string>

/** Two worlds are two replicas: on the run's database, unless another `address` is given. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { env = {}, clock = fakeClock(), address = inject('address') } = options
  const { resolve = async () => [], alter = (services) => services } = options
  const logged: Record<string, unknown>[] = []
  const config = readConfig({ FLIGHTDECK_DATA_DIR: inject('dataDir'), ...env })
  const opened = await openServices(config, address, clock)
  const passwords = passwordHasher(cheapDigest)
  const services = alter({
    ...opened,
    egress: { ...opened.egress, resolve, texts: async (name) => txtRecords.get(name) ?? [] },
    identity: { ...opened.identity, passwords },
    limits: { ...opened.limits, deadlines: openDeadlines(patience) },
  })
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line)) })
  const app = await buildApp({ services, logger })
  holdToSchemas(app)
  await app.ready()
  hangUpOnStreams(app)
  let count = 0
  return {
    app,
    services,
    clock,
    config,
    logged,
    anonymous: clientOf(app, { token: null, userId: '', email: '' }),
    organization: (options = {}) => {
      count += 1
      return found({ app, services }, { name: `Organization ${count}`, plan: 'zion', ...options })
    },
    close: async () => {
      await app.close()
      services.limits.deadlines.close()
      await services.database.close()
    },
  }
}

/** A busy machine answers none of the tests' requests too late: what is about deadlines sets its own. */
const patience = { limitMs: 60_000, everyMs: 1_000 }

/** In place of argon2id, which would keep a core busy with each login. */
export const cheapDigest: Digest = async (text, nonce) =>
  createHash('sha256').update(nonce).update(text).digest()

type Parts = { app: FastifyInstance; services: Services }

const cli = { type: 'cli', id: null, name: 'test' } as const

/** Test files share one process and database: random names keep their users apart. */
const newEmail = (role: Role) => `${role}-${randomUUID()}@example.com`

async function found(
  parts: Parts,
  { name, plan, sandbox = false }: OrganizationOptions & { name: string; plan: Plan },
) {
  const email = newEmail('owner')
  const owner = { email, name: 'Olga Owner', password }
  const { organizationId, ownerId } = await createOrganization(parts.services, cli, {
    name,
    plan,
    sandbox,
    owner,
  })
  const row = { id: organizationId, name, plan, status: 'active' as const }
  const required = { require_if_match: false, require_second_factor: false }
  const settings = { ...required, time_zone: 'UTC', clock_ahead_ms: 0 }
  const ctx = administration(parts.services, cli, { ...row, ...settings })
  const ownerUser = { id: ownerId, email, name: owner.name, role: 'owner' as const }
  return {
    id: organizationId,
    ctx,
    owner: await loggedIn(parts, ctx, ownerUser),
    as: async (role: Role) => {
      const account = { email: newEmail(role), name: `${role} user`, role, password_hash: '' }
      const user = await inTransaction(ctx, (inside) => addUser(inside, account))
      return loggedIn(parts, ctx, { ...account, id: user.id })
    },
  }
}

type TestUser = { id: string; email: string; name: string; role: Role }

/** A session without the cost of hashing a password. */
async function loggedIn({ app }: Parts, ctx: Context, user: TestUser): Promise<Client> {
  const actor = { type: 'user', id: user.id, name: user.name } as const
  const { token } = await openSession({ ...ctx, actor, role: user.role }, user)
  return clientOf(app, { token, userId: user.id, email: user.email })
}

type Identity = Pick<Client, 'token' | 'userId' | 'email'>

export function clientOf(app: FastifyInstance, identity: Identity): Client {
  const authorization: Headers = identity.token ? { authorization: `Bearer ${identity.token}` } : {}
  const call: Client['call'] = ({ url, headers, ...options }) =>
    app.inject({
      ...options,
      url: url.startsWith('/api/') ? url : `/api/v1${url}`,
      headers: { ...authorization, ...(headers as Headers) },
    })
  const send =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    (url: string, body?: unknown, headers: Headers = {}) =>
      call({ method, url, headers, ...(body === undefined ? {} : { payload: body as object }) })
  return {
    ...identity,
    call,
    get: (url, headers = {}) => call({ method: 'GET', url, headers }),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: (url, headers = {}) => call({ method: 'DELETE', url, headers }),
  }
}
