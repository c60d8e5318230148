import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from './config/config.ts'
import { consoleSession } from './features/auth/console-session.ts'
import { features } from './features/index.ts'
import { consoleInvitations } from './features/invitations/console.ts'
import { scimEndpoints, scimIds } from './features/scim/routes.ts'
import type { Constraints, LoginStep, PublicPage } from './http/feature.ts'
import { openMetrics } from './http/metrics/open.ts'
import { addEndpoint, apiPrefix, rememberRequest } from './http/pipeline.ts'
import { compressReplies } from './http/reply/compress.ts'
import { hangUpOf, problemOf, sendProblem } from './http/reply/problem.ts'
import { isScimPath, scimPrefix, sendScimError } from './http/reply/scim.ts'
import { acceptBodies, maxBodyBytes } from './http/request/body.ts'
import { pathOf } from './http/request/path.ts'
import { type Route, routesOf } from './http/request/path-ids.ts'
import { rejectBeforeRouting } from './http/server/early-rejection.ts'
import { limitConnections, timeouts } from './http/server/limits.ts'
import { logFault, logOf } from './http/server/log.ts'
import { methodGuard, noRoute, pathsOfEndpoints, shadowedPaths } from './http/server/methods.ts'
import { sendParseError } from './http/server/parse-error.ts'
import {
  checkProtocol,
  dropBody,
  maxUrlBytes,
  takeExpectations,
} from './http/server/protocol-checks.ts'
import { type Refusals, refusalsOf } from './http/server/refusals.ts'
import { traceRequests } from './http/server/tracing.ts'
import { isProbe, watchTraffic } from './http/server/traffic.ts'
import { prefersPage } from './http/site/accept.ts'
import { addPages, pathsOfPages } from './http/site/pages.ts'
import { sendProblemPage } from './http/site/problem-pages.ts'
import { addSite, pathsOfSite, type Site, type SiteRoute, siteRoutes } from './http/site/site.ts'
import { addSteps, pathsOfSteps } from './http/site/steps.ts'
import type { Services } from './kernel/context.ts'
import { addMcp, mcpPath } from './mcp/route.ts'
import { isServerFault, type Problem } from './problems/problem.ts'
import type { ProcessRole } from './process/role.ts'
import { newRequestId } from './values/core-ids.ts'

const maxHeaderBytes = 16 * 1024

export type AppOptions = {
  services: Services
  logger: FastifyBaseLogger
  /** A worker answers only probes. */
  role?: ProcessRole
}

/** The whole API as a Fastify instance that is not listening yet. */
export async function buildApp({
  services,
  logger,
  role = 'all',
}: AppOptions): Promise<FastifyInstance> {
  const mark = marksOf(services.config)
  const app = Fastify(serverOptions({ config: services.config, logger, mark }))
  const metrics = await openMetrics(app, { services, role })
  const served = servedBy(role, { services, features, metrics })
  const refuse = refusalOf(served)

  services.observability.failures.reportTo(logger)
  services.declared.storage.reportTo(logger)
  const refusals = refusalsOf(services.observability.counters, logger)
  takeExpectations(app.server)
  rejectBeforeRouting(app.server, services.limits.admission, refusals.noteTurnedAway)
  answerErrors(app, services, refusals)
  app.setNotFoundHandler(refuse)
  app.addHook('onRequest', async (request, reply) => {
    mark(request, reply)
    checkProtocol(request)
  })
  if (services.observability.tracing) traceRequests(app, services.observability.tracing)
  acceptBodies(app)
  await allowOrigins(app, services.config)
  limitConnections(app)
  watchTraffic(app, services)
  // Before the body of a request that is refused anyway.
  app.addHook('onRequest', (request, _, done) => {
    if (request.is404) refuse(request)
    done()
  })
  rememberRequest(app)
  compressReplies(app)
  addRoutes(app, services, { ...served, refuse })
  return app
}

type Served = {
  endpoints: readonly Route[]
  ofConsole: readonly Route[]
  ofScim: readonly Route[]
  site: SiteRoute[]
  pages: readonly PublicPage[]
  steps: readonly LoginStep[]
}

/** The routes of a process: a worker serves only probes. */
function servedBy(role: ProcessRole, site: Site): Served {
  const ofSite = siteRoutes(site)
  if (role === 'worker') {
    return {
      endpoints: [],
      ofConsole: [],
      ofScim: [],
      site: ofSite.filter(({ path }) => isProbe(path)),
      pages: [],
      steps: [],
    }
  }
  const ofConsole = routesOf([{ endpoints: [...consoleSession, ...consoleInvitations] }])
  const ofScim = routesOf([{ endpoints: scimEndpoints, ids: scimIds }])
  const pages = features.flatMap((feature) => feature.pages ?? [])
  const steps = features.flatMap((feature) => feature.steps ?? [])
  return { endpoints: routesOf(features), ofConsole, ofScim, site: ofSite, pages, steps }
}

type Refuse = (request: FastifyRequest) => never

/** 405 for a known path, else 404. */
function refusalOf({ endpoints, ofConsole, ofScim, site, pages, steps }: Served): Refuse {
  const paths = [
    ...pathsOfEndpoints(endpoints),
    ...pathsOfEndpoints(ofConsole, ''),
    ...pathsOfEndpoints(ofScim, scimPrefix),
    ...pathsOfSite(site),
    ...pathsOfPages(pages),
    ...pathsOfSteps(steps),
    ...(endpoints.length > 0 ? [{ path: mcpPath, methods: ['POST'] }] : []),
  ]
  const notAllowed = methodGuard(paths)
  return (request) => {
    throw notAllowed(request) ?? noRoute(request, paths)
  }
}

/** Whether a person's browser has found nothing, at an unknown path or outside the API. */
const asksForPage = (request: FastifyRequest, { status }: Problem): boolean =>
  status === 404 &&
  (request.is404 || !pathOf(request).startsWith(`${apiPrefix}/`)) &&
  prefersPage(request.headers.accept)

function answerErrors(app: FastifyInstance, services: Services, refusals: Refusals): void {
  const constraints: Constraints = Object.assign({}, ...features.map((each) => each.constraints))
  app.setErrorHandler(async (error, request, reply) => {
    const hangUp = hangUpOf(error, request)
    if (hangUp) logOf(request).debug({ path: pathOf(request) }, 'the client hung up in its body')
    const problem = hangUp ?? problemOf(error, constraints)
    const isTurnedAway = refusals.note(request, problem)
    if (isServerFault(problem.status) && !isTurnedAway) logFault(services, request, problem)
    if (problem.code === 'body_too_large') await dropBody(request.raw)
    if (isScimPath(request)) sendScimError(reply, problem)
    else if (asksForPage(request, problem)) sendProblemPage(reply, problem)
    else sendProblem(request, reply, problem)
    return reply
  })
}

function addRoutes(
  app: FastifyInstance,
  services: Services,
  { endpoints, ofConsole, ofScim, site, pages, steps, refuse }: Served & { refuse: Refuse },
): void {
  for (const endpoint of endpoints) addEndpoint(app, services, endpoint)
  for (const endpoint of ofConsole) addEndpoint(app, services, endpoint, '')
  for (const endpoint of ofScim) addEndpoint(app, services, endpoint)
  for (const { path, methods } of shadowedPaths(pathsOfEndpoints(endpoints))) {
    const onRequest = async (request: FastifyRequest) => refuse(request)
    app.route({ method: [...methods], url: path, onRequest, handler: refuse })
  }
  addSite(app, services, site)
  addPages(app, services, pages)
  addSteps(app, services, steps)
  if (endpoints.length > 0) addMcp(app, services)
}

type AppSettings = { config: Config; logger: FastifyBaseLogger; mark: Mark }

const serverOptions = ({ config, logger, mark }: AppSettings) => ({
  loggerInstance: logger,
  bodyLimit: maxBodyBytes,
  genReqId: newRequestId,
  // No child logger per request: `logOf` creates one when needed.
  childLoggerFactory: (shared: FastifyBaseLogger) => shared,
  logController: new LogController({
    disableRequestLogging: true,
  }),
  trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
  routerOptions: { maxParamLength: maxUrlBytes, ignoreTrailingSlash: false },
  return503OnClosing: false,
  clientErrorHandler: sendParseError,
  // A path that the router cannot decode reaches no hook and no error handler.
  frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    mark(request, reply)
    sendProblem(request, reply, problemOf(error, {}))
  },
  ...timeouts,
  http: {
    ...timeouts.http,
    maxHeaderSize: maxHeaderBytes,
    // `checkProtocol` refuses these with a problem document.
    requireHostHeader: false,
  },
})

type Mark = (request: FastifyRequest, reply: FastifyReply) => void

/** Sets the headers of every reply. With a public https URL, HSTS for a year. */
function marksOf({ publicUrl }: Config): Mark {
  const isSecure = publicUrl.startsWith('https:')
  return (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000')
  }
}

const exposedHeaders = [
  'Accept-Patch',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'Idempotency-Replayed',
  'Preference-Applied',
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
