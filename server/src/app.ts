import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from './config.ts'
import { features } from './features/index.ts'
import { acceptJson } from './http/body.ts'
import { refuseBrokenRequest } from './http/client-error.ts'
import type { Constraints } from './http/endpoint.ts'
import { methodGuard, pathsOfEndpoints, shadowedPaths } from './http/methods.ts'
import { problemOf, sendProblem } from './http/problem.ts'
import { addEndpoint, rememberOpened } from './http/routes.ts'
import { lazySerializer } from './http/serialize.ts'
import { measure } from './http/site/metrics.ts'
import { addSite, pathsOfSite, siteRoutes } from './http/site.ts'
import type { Services } from './kernel/context.ts'
import { notFound, Problem } from './kernel/errors.ts'
import { newId } from './kernel/ids.ts'

const maxBodyBytes = 1024 * 1024
const maxUrlBytes = 8 * 1024
const maxHeaderBytes = 16 * 1024

export type AppOptions = { services: Services; logger: FastifyBaseLogger }

/** The whole API as a Fastify instance; it neither opens the database nor listens. */
export async function buildApp({ services, logger }: AppOptions): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(services.config, logger))
  const endpoints = features.flatMap((feature) => feature.endpoints)
  const constraints: Constraints = Object.assign({}, ...features.map((each) => each.constraints))
  const metrics = services.config.metricsToken === null ? null : measure(app)
  const site = siteRoutes({ services, endpoints, metrics })
  const notAllowed = methodGuard([...pathsOfEndpoints(endpoints), ...pathsOfSite(site)])

  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error, constraints)
    if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem }, problem.message)
    sendProblem(request, reply, problem)
  })
  const refuse = (request: FastifyRequest) => {
    throw notAllowed(request) ?? notFound()
  }
  app.setNotFoundHandler(refuse)
  app.addHook('onRequest', async (request, reply) => {
    markReply(request, reply)
    refuseOddRequest(request)
  })
  app.setSerializerCompiler(lazySerializer)
  acceptJson(app)
  await allowOrigins(app, services.config)
  rememberOpened(app)
  for (const endpoint of endpoints) addEndpoint(app, services, endpoint)
  for (const { path, methods } of shadowedPaths(pathsOfEndpoints(endpoints))) {
    const onRequest = async (request: FastifyRequest) => refuse(request)
    app.route({ method: [...methods], url: path, onRequest, handler: refuse })
  }
  addSite(app, site)
  return app
}

const serverOptions = (config: Config, logger: FastifyBaseLogger) => ({
  loggerInstance: logger,
  bodyLimit: maxBodyBytes,
  genReqId: () => newId('request'),
  logController: new LogController({
    requestIdLogLabel: 'request_id',
    disableRequestLogging: true,
  }),
  trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
  routerOptions: { maxParamLength: maxUrlBytes, ignoreTrailingSlash: false },
  return503OnClosing: false,
  clientErrorHandler: refuseBrokenRequest,
  // A path that the router cannot decode comes by no hook and no error handler.
  frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    markReply(request, reply)
    sendProblem(request, reply, problemOf(error, {}))
  },
  keepAliveTimeout: 72_000,
  requestTimeout: 30_000,
  http: {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
  },
})

function markReply(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
}

/** What Node's parser lets through although no client of ours sends it. */
function refuseOddRequest({ url, raw }: FastifyRequest): void {
  // Every character of a request target is one byte: Node refuses all others.
  if (url.length > maxUrlBytes) {
    throw new Problem('uri_too_long', 'Path and query have more than 8 KiB.')
  }
  if (hostsIn(raw.rawHeaders) > 1) {
    throw new Problem('invalid_header', 'The header Host is given twice.', {
      faults: [{ header: 'Host', code: 'duplicate_item', message: 'is given twice' }],
    })
  }
}

/** Names and values take turns in raw headers. A plain loop: every request comes through here. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]

async function allowOrigins(app: FastifyInstance, { corsOrigins }: Config): Promise<void> {
  if (corsOrigins.length === 0) return
  await app.register(cors, {
    origin: corsOrigins.includes('*') ? '*' : corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: 600,
  })
}
