import type { FastifyInstance, FastifyRequest } from 'fastify'
import { relyingPartyOf } from '../../identity/relying-party.ts'
import type { Services } from '../../kernel/context.ts'
import { notFound } from '../../problems/problem.ts'
import { revision, version } from '../../version.ts'
import { methodsOf } from '../endpoint.ts'
import type { Exchange } from '../exchange.ts'
import type { Feature } from '../feature.ts'
import { authorizeScraper, type Metrics } from '../metrics/open.ts'
import { openApiDocument } from '../openapi/document.ts'
import { apiPrefix } from '../pipeline.ts'
import { addVary } from '../reply/vary.ts'
import { matchesTag } from '../request/headers.ts'
import type { Params } from '../request/path-ids.ts'
import { readQuery, searchOf } from '../request/query.ts'
import type { KnownPath } from '../server/methods.ts'
import { inTime } from '../server/traffic.ts'
import { prefersJson, prefersPage } from './accept.ts'
import type { Answer } from './answer.ts'
import { consoleIn, consolePath } from './console.ts'
import { tagOf } from './digest.ts'
import { docsPage, scalarBundle, scriptPath, startPath, startScript } from './docs.ts'
import { homePage } from './home.ts'
import { favicon, pageHeaders, referenceHeaders } from './page.ts'
import { aboutCode, problemIndex, problemIndexPage } from './problem-pages.ts'
import { projectSchema, projectSchemaPath } from './project-schema.ts'
import { sdkFrom, sdkPath } from './sdk.ts'

export type Site = {
  services: Services
  features: readonly Feature[]
  metrics: Metrics | null
}

/** A path outside the API; all support GET and HEAD. */
export type SiteRoute = { path: string; answer: Answer }

const builtConsole = consoleIn()

/** The routes outside the API. */
export const siteRoutes = (site: Site): SiteRoute[] => [
  { path: '/', answer: home(site) },
  ...consoleRoutes(site),
  { path: '/sdk/:name', answer: sdkFrom() },
  { path: projectSchemaPath, answer: shown('application/schema+json', projectSchema) },
  { path: '/docs', answer: reference },
  { path: '/docs/', answer: redirectTo('/docs') },
  { path: scriptPath, answer: referenceScript },
  { path: startPath, answer: shown('text/javascript', startScript) },
  { path: '/problems', answer: problems },
  { path: '/problems/', answer: redirectTo('/problems') },
  { path: '/problems/:code', answer: problem },
  { path: apiPrefix, answer: index(site) },
  { path: `${apiPrefix}/openapi.json`, answer: openApi(site) },
  { path: '/favicon.ico', answer: shown('image/svg+xml', () => favicon) },
  { path: '/.well-known/jwks.json', answer: keys(site) },
  { path: '/livez', answer: alive },
  { path: '/readyz', answer: ready(site) },
  { path: '/metrics', answer: metrics(site) },
]

function consoleRoutes({ services }: Site): SiteRoute[] {
  const page = builtConsole.page(relyingPartyOf(services.config)?.origin ?? null)
  return [
    { path: consolePath, answer: page },
    { path: `${consolePath}/assets/:name`, answer: builtConsole.asset },
    { path: `${consolePath}/*`, answer: page },
  ]
}

export const pathsOfSite = (routes: readonly SiteRoute[]): KnownPath[] =>
  routes.map(({ path }) => ({ path, methods: ['GET'] })).filter(({ path }) => !path.endsWith('*'))

export function addSite(
  app: FastifyInstance,
  services: Services,
  routes: readonly SiteRoute[],
): void {
  for (const { path, answer } of routes) {
    app.get<{ Params: Params }>(path, (request, reply) =>
      inTime(request, services, async () => answer(request, reply)),
    )
  }
}

type Content = { type: string; text: string; etag?: string }

/** Sends static content with an ETag, or 304. */
function send({ request, reply }: Exchange, { type, text, etag = tagOf(text) }: Content): unknown {
  reply.header('etag', etag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  const known = request.headers['if-none-match']
  if (known !== undefined && matchesTag(known, etag)) return reply.code(304).send()
  return reply.type(`${type}; charset=utf-8`).send(text)
}

const sendPage = (exchange: Exchange, text: string) => {
  exchange.reply.headers(pageHeaders)
  return send(exchange, { type: 'text/html', text })
}

const shown =
  (type: string, make: () => string): Answer =>
  (request, reply) =>
    send({ request, reply }, { type, text: make() })

const redirectTo =
  (path: string): Answer =>
  (_, reply) =>
    reply.redirect(path, 308)

/** Answers with links to begin with, for a program that knows only the base URL. */
function index({ features }: Site): Answer {
  const endpoints = features.flatMap((feature) => feature.endpoints)
  const collections = endpoints.filter(
    (endpoint) => methodsOf(endpoint).includes('GET') && endpoint.query?.cursor !== undefined,
  )
  const paths = collections.map(({ path }) => path).filter((path) => !path.includes(':'))
  const text = JSON.stringify({
    service: 'flightdeck',
    version,
    links: {
      documentation: '/docs',
      openapi: `${apiPrefix}/openapi.json`,
      sdk: sdkPath,
      project_schema: projectSchemaPath,
      problems: '/problems',
      login: `${apiPrefix}/auth/login`,
    },
    collections: [...new Set(paths)].sort().map((path) => `${apiPrefix}${path}`),
  })
  return shown('application/json', () => text)
}

const home =
  ({ services }: Site): Answer =>
  async (request, reply) => {
    addVary(reply, 'Accept')
    if (prefersPage(request.headers.accept) && (await builtConsole.isBuilt())) {
      return reply.redirect(consolePath, 302)
    }
    const report = await services.observability.readiness.report()
    const { publicUrl } = services.config
    return sendPage({ request, reply }, homePage({ version, publicUrl, report }))
  }

const reference: Answer = (request, reply) => {
  reply.headers(referenceHeaders)
  return send({ request, reply }, { type: 'text/html', text: docsPage() })
}

const referenceScript: Answer = async (request, reply) => {
  const { plain, gzipped, etag } = await scalarBundle()
  addVary(reply, 'Accept-Encoding').headers({ etag, 'cache-control': 'public, max-age=3600' })
  if (matchesTag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  reply.type('text/javascript; charset=utf-8')
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain)
}

/** The same content as HTML or JSON, by `Accept`. */
function negotiated(exchange: Exchange, facts: unknown, text: () => string): unknown {
  addVary(exchange.reply, 'Accept')
  if (!prefersJson(exchange.request.headers.accept)) return sendPage(exchange, text())
  return send(exchange, { type: 'application/json', text: JSON.stringify(facts) })
}

const problems: Answer = (request, reply) =>
  negotiated({ request, reply }, problemIndex(), problemIndexPage)

const problem: Answer = (request, reply) => {
  const { code = '' } = request.params
  const about = aboutCode(code)
  if (!about) throw notFound()
  return negotiated({ request, reply }, about.facts, about.page)
}

function openApi({ features, services }: Site): Answer {
  const serverUrl = services.config.issuer ?? ''
  let content: Content | undefined
  return (request, reply) => {
    readQuery(searchOf(request.url), {})
    if (!content) {
      const text = JSON.stringify({
        ...openApiDocument(features, { version, serverUrl }),
        'x-revision': revision,
      })
      content = { type: 'application/json', text, etag: tagOf(text) }
    }
    return send({ request, reply }, content)
  }
}

const keys =
  ({ services }: Site): Answer =>
  async (_, reply) => {
    reply.header('cache-control', 'public, max-age=60')
    return { keys: await services.identity.tokens.publicKeys() }
  }

const alive: Answer = (_, reply) => {
  reply.header('cache-control', 'no-store')
  return { status: 'ok' }
}

/** Whether the one who asks sends writes elsewhere while this process cannot do them. */
const isForWrites = ({ url }: FastifyRequest): boolean =>
  new URLSearchParams(url.split('?')[1]).get('for') === 'writes'

const ready =
  ({ services }: Site): Answer =>
  async (request, reply) => {
    const { ready: isReady, draining, checks } = await services.observability.readiness.report()
    const ready = isReady && !(isForWrites(request) && checks.writes === 'failed')
    reply.header('cache-control', 'no-store')
    if (!ready) reply.code(503).header('retry-after', '1')
    return { status: ready ? 'ready' : 'not_ready', draining, checks }
  }

const metrics =
  ({ services, metrics }: Site): Answer =>
  async (request, reply) => {
    authorizeScraper(request, services.config.metricsToken)
    reply.header('cache-control', 'no-store')
    if (!metrics) throw notFound()
    return reply.type(metrics.contentType).send(await metrics.read())
  }
