import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { startBackground } from './background/scheduler.ts'
import { type Config, readConfig } from './config/config.ts'
import { type Environment, environment } from './config/environment.ts'
import type { DatabaseAddress } from './database/address.ts'
import { openOwnDatabase } from './database/open.ts'
import { StartError } from './database/start-error.ts'
import { checkDistribution } from './database/upkeep/citus/keep-distributed.ts'
import { migrate, unknownText } from './database/upkeep/migrate.ts'
import { consoleIn } from './http/site/console.ts'
import { openLeases } from './jobs/leases.ts'
import type { Services } from './kernel/context.ts'
import type { RedisNews } from './limits/counters/redis-outages.ts'
import { type Logger, openLogger } from './observability/logger.ts'
import { openTracing, traced } from './observability/traces.ts'
import {
  bannerText,
  firstLoginLine,
  firstLoginText,
  type ServiceInfo,
  serviceInfo,
} from './process/banner.ts'
import { type FirstLogin, makeFirstOwner } from './process/first-owner.ts'
import { keepFirstPassword } from './process/first-password.ts'
import { announceIssuer } from './process/issuer.ts'
import { releaseAfterStart } from './process/memory.ts'
import { registerProcess } from './process/registry.ts'
import { checkRole, type ProcessRole } from './process/role.ts'
import { untilStopped } from './process/stop-signals.ts'
import { openServices } from './services.ts'
import { startBus } from './signals/bus.ts'
import { errorCode } from './values/errors.ts'

type ServeOptions = {
  /** Prints the service's URLs and paths as one JSON value on stdout; the log goes to stderr. */
  json: boolean
  role: ProcessRole
}

/** Connections waiting to be accepted; with more, the clients' retries take seconds. */
const backlog = 2_048
const drainWithinMs = 30_000
const closeWithinMs = 1_000
const stopStartWithinMs = 5_000
const announceForMs = 250

/** Runs the service until a stop signal; resolves to the exit code. */
export async function serve({ json, role }: ServeOptions): Promise<number> {
  // Before signals are handled: one then ends the reading of a file that does not answer.
  const env = environment()
  const config = readConfig(env)
  checkRole(role, config)
  const stopped = untilStopped()
  const logger = openLogger(config.logLevel, json ? process.stderr : process.stdout)
  failWithMessage(logger)
  await using life = new AsyncDisposableStack()
  const died = Promise.withResolvers<string>()
  const starting = start({ config, env, json, role, logger, life, onDied: died.resolve })
  const ended = Promise.race([stopped, died.promise.then(databaseDied)])
  const running = await Promise.race([starting, ended])
  if (running instanceof StartError) throw running
  if (typeof running === 'string') return stopAtStart(running, { life, logger })
  const end = await ended
  const hasFailed = end instanceof StartError
  if (hasFailed) logger.fatal(end.message)
  else logger.info({ signal: end }, 'stopping')
  const { app, services, background } = running
  // Now, so that other replicas can take over; `life` awaits it and reports its error.
  void background?.stop().catch(() => {})
  // Without a database no request in flight can succeed.
  await drain(app, services, hasFailed ? 0 : drainWithinMs)
  return hasFailed ? 1 : 0
}

/** Stops during the start: parts that are only being opened end with the process. */
async function stopAtStart(
  signal: string,
  { life, logger }: Pick<Lifetime, 'life' | 'logger'>,
): Promise<number> {
  logger.info({ signal }, 'stopping, before the service was ready')
  const closed = life.disposeAsync().catch(() => {})
  await Promise.race([closed, sleep(stopStartWithinMs)])
  return 0
}

type Start = Lifetime & ServeOptions & { config: Config; env: Environment }
type RunningService = {
  app: FastifyInstance
  services: Services
  background: ReturnType<typeof startBackground> | null
}

async function start({ config, env, json, role, ...lifetime }: Start): Promise<RunningService> {
  const { life, logger, onDied } = lifetime
  const store = await openStore(config, lifetime)
  const { services } = store
  const bus = startBus({ ...store, logger })
  life.defer(() => bus.stop())
  services.limits.counterStore.watch((news) => logRedisOutages(logger, news))
  services.observability.readiness.setStarting(true)
  const app = await listen(services, logger, role)
  // Only now, as a busy port would have cost the password. A worker's output is no place for it.
  const login = role === 'worker' ? null : await makeFirstOwner(services, keepPassword(config))
  // At once: if a later step fails, the password must not be lost.
  if (login) announceLogin(logger, config, login)
  services.observability.readiness.setStarting(false)
  const hasConsole = await consoleIn().isBuilt()
  const info = serviceInfo(config, { port: portOf(app), role, hasConsole })
  announce({ logger, json }, info, login)
  const leases = openLeases(services, logger)
  life.defer(() => leases.close())
  const registered = registerProcess({ services, leases, env, info, onKeyLost: onDied })
  life.defer(() => registered.stop())
  const { issuer } = services.identity.tokens
  const announced = role === 'worker' ? null : announceIssuer({ leases, issuer, logger })
  life.defer(() => announced?.stop())
  const background = role === 'api' ? null : startBackground({ ...store, leases, logger })
  life.defer(() => background?.stop())
  releaseAfterStart()
  return { app, services, background }
}

const databaseDied = (reason: string) => new StartError(reason)

type Store = { services: Services; address: DatabaseAddress }
type Lifetime = {
  life: AsyncDisposableStack
  onDied: (reason: string) => void
  logger: Logger
}

/** The migrated database and everything built on it; `life` closes them in reverse order. */
async function openStore(config: Config, { life, onDied, logger }: Lifetime): Promise<Store> {
  const report = (line: string) => logger.warn(line)
  const owner = { owner: 'flightdeck serve', onExit: onDied, report }
  const { address, stop } = await openOwnDatabase(config, owner)
  life.defer(stop)
  const onUnknown = (names: string[]) => logger.warn({ migrations: names }, unknownText(names))
  await migrate(address, undefined, { report, onUnknown })
  const cluster = await checkDistribution(address)
  if (cluster) logger.info(cluster, 'the database is distributed by Citus')
  const tracing = await openTracing(config.traces)
  if (tracing) life.defer(() => tracing.close())
  const services = traced(await openServices(config, address), tracing)
  life.defer(() => services.database.close())
  return { services, address }
}

async function listen(
  services: Services,
  logger: Logger,
  role: ProcessRole,
): Promise<FastifyInstance> {
  const app = await buildApp({ services, logger, role })
  const { host, port } = services.config
  try {
    await app.listen({ host, port, backlog, listenTextResolver: () => '' })
  } catch (error) {
    await app.close()
    throw cannotListen(error, `${host}:${port}`)
  }
  return app
}

const listenFaults: Record<string, string> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name is unknown',
}

function cannotListen(error: unknown, address: string): unknown {
  const reason = listenFaults[errorCode(error) ?? '']
  if (!reason) return error
  return new StartError(
    `Cannot listen on ${address}: ${reason}. Set FLIGHTDECK_PORT or FLIGHTDECK_HOST.`,
    { cause: error },
  )
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function logRedisOutages(logger: Logger, { isAway, reason, seconds }: RedisNews): void {
  if (isAway) logger.warn({ reason }, 'Redis is unavailable: counting limits in PostgreSQL')
  else logger.info({ seconds }, 'Redis is available again: counting limits there in a minute')
}

/** People read standard error; elsewhere it may be merged with the log, which is JSON only. */
const isTerminal = () => process.stderr.isTTY === true

const keepPassword = ({ dataDir }: Config) =>
  isTerminal() ? async () => {} : (password: string) => keepFirstPassword(dataDir, password)

function announceLogin(logger: Logger, config: Config, login: FirstLogin): void {
  if (isTerminal()) process.stderr.write(firstLoginText(config, login))
  else logger.warn(...firstLoginLine(config, login))
}

type Output = { logger: Logger; json: boolean }

function announce({ logger, json }: Output, service: ServiceInfo, login: FirstLogin | null): void {
  const email = login?.email ?? null
  if (json) process.stdout.write(`${JSON.stringify({ ...service, first_owner: email })}\n`)
  if (isTerminal()) process.stderr.write(bannerText(service, login))
  // On a terminal the banner says the same.
  if (!isTerminal() || !process.stdout.isTTY)
    logger.info({ ...service, first_owner: email }, 'listening')
}

/** Fails readiness, waits for requests in flight, and closes all connections. */
async function drain(app: FastifyInstance, services: Services, withinMs: number): Promise<void> {
  services.observability.readiness.drain()
  // Replies on open connections ask clients to reconnect; closing at once would lose requests.
  const announced = sleep(Math.min(announceForMs, withinMs))
  await Promise.all([app.traffic.quiet(withinMs), announced])
  const cut = setTimeout(() => app.server.closeAllConnections(), closeWithinMs)
  await app.close()
  clearTimeout(cut)
}

/** Ends the process on an uncaught error, as its state is unknown. */
function failWithMessage(logger: Logger): void {
  const fail = (err: unknown) => {
    logger.fatal({ err }, 'unexpected error: the process exits')
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}
