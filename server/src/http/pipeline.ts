import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Semaphore } from '../concurrency/semaphore.ts'
import { type BareContext, type Context, newContext, type Services } from '../kernel/context.ts'
import { throwIfLate } from '../limits/deadlines.ts'
import { retryLater } from '../problems/problem.ts'
import { limitOf } from '../query/list.ts'
import { type Endpoint, type Input, methodsOf } from './endpoint.ts'
import { announceDeprecation } from './reply/deprecation.ts'
import { dryRunOf, isDryRun, outcomeOf, sendDryRun } from './reply/dry-run.ts'
import { endOf } from './reply/end.ts'
import { selectFields, withoutHidden } from './reply/fields.ts'
import { changeCookie, keepCookie } from './reply/keep-cookie.ts'
import { linkNext } from './reply/links.ts'
import { refusalFor, withPeople } from './reply/names.ts'
import { asPreferred } from './reply/prefer.ts'
import { membersOf, sentStatusOf, unwrapped } from './reply/result.ts'
import { asScim, scimPrefix } from './reply/scim.ts'
import { isStreamed, sendFile } from './reply/send-file.ts'
import { endWithApp, isLive, liveInput, sendLive } from './reply/stream.ts'
import { addVary } from './reply/vary.ts'
import { checkAgentRequest, noteRefusal } from './request/agent-door.ts'
import { authenticate, revoked } from './request/authenticate.ts'
import { costAnnounced, costOfBytes, isMergePatch, maxBytesOf, readBody } from './request/body.ts'
import { checkBody, mergingInto } from './request/check-body.ts'
import { checkRole, type GuardedRoute } from './request/check-role.ts'
import { bareContext } from './request/contexts.ts'
import { isUnchanged, type ReadHeaders, readHeaders, reasonIn } from './request/headers.ts'
import { idempotencyOf, runOncePerKey, takesKey } from './request/idempotency.ts'
import { queryOf } from './request/parameters.ts'
import { checkIds, type Params, type Route } from './request/path-ids.ts'
import { readQuery, searchOf } from './request/query.ts'
import { rateLimitHeaders, takeRemainingCost, tooMany } from './request/rate-limit.ts'
import { checkFactor } from './request/second-factor.ts'
import { authorizationOf, checkOwnPage } from './request/session-cookie.ts'
import { inFlight, inTime, waitForBody } from './server/traffic.ts'

export const apiPrefix = '/api/v1'

/** State passed from the steps before the body is read to those after. */
type RequestState = {
  ctx: Context | BareContext
  headers: ReadHeaders
  query: Input<unknown>['query']
  /** Requests counted against the rate limit so far. */
  taken: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until its headers are checked. A WeakMap would burden every garbage collection. */
    opened: RequestState | null
  }
}

/** Once per app, before its endpoints. */
export function rememberRequest(app: FastifyInstance): void {
  app.decorateRequest('opened', null)
}

/** Registers one endpoint. The order of checks is part of the contract. */
export function addEndpoint(
  app: FastifyInstance,
  services: Services,
  route: Route,
  prefix = route.isScim ? scimPrefix : apiPrefix,
): void {
  if (route.live) endWithApp(app, services)
  const most = maxBytesOf(route)
  app.route<{ Params: Params }>({
    method: [...methodsOf(route)],
    url: `${prefix}${route.path}`,
    config: { live: route.live ?? false, waits: route.waits ?? false },
    bodyLimit: most,
    onRequest: async (request, reply) => {
      announceDeprecation(route, reply)
      const opened = await inTime(request, services, () =>
        beforeBody(services, route, { request, reply }),
      )
      request.opened = opened
      const organizationId = 'organization' in opened.ctx ? opened.ctx.organization.id : null
      waitForBody(request, { bodies: services.limits.uploads, most, organizationId })
    },
    handler: (request, reply) => {
      const work = () =>
        inFlight(request, () => runVerb(route, { request, reply })).catch(
          async (error: unknown) => {
            await noteRefusal(request.opened?.ctx, route, error)
            throw refusalFor(request.opened, error)
          },
        )
      return takesItsTime(route) ? work() : inTime(request, services, work)
    },
  })
}

/** Streamed replies and endpoints that wait for external services have no deadline. */
const takesItsTime = ({ live, streams, unhurried, waits }: Endpoint) =>
  live || streams !== undefined || unhurried === true || waits === true

type Request = FastifyRequest<{ Params: Params }>
type ApiExchange = { request: Request; reply: FastifyReply }

/** Everything that needs no body: credential, rate limit, path, role, headers, query. */
async function beforeBody(
  services: Services,
  endpoint: Route,
  { request, reply }: ApiExchange,
): Promise<RequestState> {
  const { publicUrl } = services.config
  const ctx = isGuarded(endpoint)
    ? await authorize(services, endpoint, { request, reply })
    : bareContext(services, request, endpoint)
  if (!isGuarded(endpoint) && endpoint.cookie) checkOwnPage({ request, publicUrl })
  const headers = readHeaders(request.raw, { takesKey: takesKey(request, endpoint) })
  const query = readQuery(searchOf(request.url), queryOf(endpoint), ctx)
  const { ifMatch, reason, overrideReason } = headers
  const taken = costAnnounced(request, endpoint)
  return { ctx: { ...ctx, ifMatch, reason, override: overrideReason }, headers, query, taken }
}

const isGuarded = (route: Route): route is GuardedRoute => route.permission !== null

/** Requests more expensive than one page of rows weigh more in admission control. */
const heavyWeight = 5
const weightOf = ({ cost, streams, live }: Route) => (cost || (streams && !live) ? heavyWeight : 1)

async function authorize(
  services: Services,
  endpoint: GuardedRoute,
  { request, reply }: ApiExchange,
): Promise<Context> {
  const { publicUrl } = services.config
  const { authorization, isFromCookie } = authorizationOf({ request, publicUrl })
  const credential = await authenticate(services, authorization)
  if (credential.isReplaced && !endpoint.takesReplacedToken) throw revoked()
  const cost = costAnnounced(request, endpoint)
  const allowance = await services.limits.rates.take(credential.organization, cost)
  reply.headers(rateLimitHeaders(allowance))
  if (!allowance.allowed) throw tooMany(allowance.resetSeconds)
  // A stream counts until it is open, so a burst of reconnects is limited too.
  request.visit?.place.assign(
    credential.organization.id,
    weightOf(endpoint),
    !endpoint.live && !endpoint.waits,
  )
  checkFactor(services, credential, endpoint)
  checkIds(endpoint.ids, request.params)
  const ctx = {
    ...newContext(bareContext(services, request, endpoint), credential),
    dryRun: dryRunOf(endpoint, searchOf(request.url)),
  }
  await checkRole({ ...ctx, reason: reasonIn(request.headers) }, endpoint, request.params)
  if (isFromCookie) await keepCookie(ctx, credential, { request, reply })
  return ctx
}

/** Parses and validates the body, runs the verb and sends the reply. */
async function runVerb(endpoint: Endpoint, { request, reply }: ApiExchange): Promise<unknown> {
  const { opened } = request
  if (!opened) throw retryLater('unavailable')
  await takeBody(opened, endpoint, { request, reply })
  const { body = {} } = request
  const { id = '', ...inner } = request.params
  const [innerId = ''] = Object.values(inner)
  const more = endpoint.live ? liveInput(opened.ctx.services, endpoint, request) : {}
  const input = { body, id, innerId, query: opened.query, ...more }
  const plain = withStatus(opened.ctx, endpoint, body)
  const ctx = isMergePatch(request) ? mergingInto(plain, endpoint) : plain
  if (endpoint.cost && 'organization' in opened.ctx) {
    await count(opened, await endpoint.cost(body, { ctx: opened.ctx, id }), reply)
  }
  checkAgentRequest(ctx, endpoint, input)
  await checkBody(endpoint, ctx, input)
  const key = idempotencyOf(opened, request)
  const turn = turnOf(endpoint, opened, { request, reply })
  const work = (ctx: RequestState['ctx']) =>
    turn(async () => {
      throwIfLate(request.visit)
      return unwrapped(await endpoint.run(ctx, input), reply)
    })
  const whole =
    key && 'organization' in ctx
      ? await runOncePerKey(key.scope, () => work({ ...ctx, idempotency: key }), reply)
      : await work(ctx)
  throwIfLate(request.visit)
  // After the work, so that a replay is in the form that its own request prefers.
  const result = asPreferred(endpoint, whole, { request, reply })
  const named = await withPeople(opened, outcomeOf(opened.ctx, result))
  if (isDryRun(opened.ctx)) return sendDryRun(opened.ctx, named, reply)
  return sendReply(endpoint, named, { services: opened.ctx.services, request, reply })
}

/** Chunked bodies are counted before they are parsed. */
async function takeBody(opened: RequestState, endpoint: Endpoint, { request, reply }: ApiExchange) {
  const { body } = request
  if (!Buffer.isBuffer(body)) return
  await count(opened, costOfBytes(body.length), reply)
  request.body = readBody(request, body, endpoint)
}

/** Requests without a credential count against no organization. */
async function count(opened: RequestState, cost: number, reply: FastifyReply): Promise<void> {
  const { ctx, taken } = opened
  if (!('organization' in ctx)) return
  await takeRemainingCost(ctx, { cost, taken }, reply)
  opened.taken = Math.max(cost, taken)
}

/** Writes queue per organization: each has one writer. */
function turnOf(
  endpoint: Endpoint,
  opened: RequestState,
  { request, reply }: ApiExchange,
): Semaphore {
  const { visit } = request
  if (!visit || endpoint.action || endpoint.waits) return (run) => run()
  const {
    limits: { largeReads },
  } = opened.ctx.services
  const organizationId = largeReaderOf(endpoint, opened)
  if (organizationId === null) return (run) => visit.place.inTurn(run)
  return (run) => largeReads.inTurn(organizationId, run, endOf(reply))
}

/** The organization that reads a potentially large list, or null. */
function largeReaderOf({ query: accepted }: Endpoint, { ctx, query }: RequestState): string | null {
  if (accepted?.limit === undefined || !('organization' in ctx)) return null
  const { organization, services } = ctx
  return services.limits.largeReads.takesSlot(organization.id, limitOf(query))
    ? organization.id
    : null
}

/** For endpoints whose body decides the success status. */
function withStatus(
  ctx: RequestState['ctx'],
  { statusFor }: Endpoint,
  body: unknown,
): RequestState['ctx'] {
  if (!statusFor || !ctx.request) return ctx
  return { ...ctx, request: { ...ctx.request, status: statusFor(body) } }
}

type Replying = ApiExchange & { services: Services }

function sendReply(endpoint: Endpoint, given: unknown, exchange: Replying): unknown {
  const { services, request, reply } = exchange
  const status = sentStatusOf(endpoint, exchange)
  const isPrivate = endpoint.permission !== null && !endpoint.noStore
  reply.header('cache-control', isPrivate ? 'private, no-cache' : 'no-store')
  addVary(reply, 'Authorization')
  const result = endpoint.cookie ? changeCookie(endpoint.cookie, given, exchange) : given
  if (endpoint.live && isLive(result)) return sendLive(result, { services, request, reply })
  if (endpoint.streams && isStreamed(result)) return sendFile(result, { request, reply })
  if (status === 204) return reply.code(204).send()
  if (endpoint.isScim) return asScim(reply.code(status), result)
  const { version, id, meta } = membersOf(result)
  if (version !== undefined) {
    const etag = `"${version}"`
    reply.header('etag', etag)
    if (isUnchanged(endpoint, request, etag)) return reply.code(304).send()
  }
  if (status === 201 && id && !endpoint.mayCreate)
    reply.header('location', locationOf(endpoint, id))
  linkNext(request, reply, meta?.next_cursor)
  return reply.code(status).send(shownOf(endpoint, result, request.opened))
}

/** Replies are written as they are: tests hold them to their schemas. */
function shownOf(endpoint: Endpoint, result: unknown, opened: RequestState | null): unknown {
  if (typeof result !== 'object' || result === null) return result
  if (endpoint.cookie) return withoutHidden(endpoint, result)
  return opened ? selectFields(endpoint, opened.query, result) : result
}

/**
 * The URL of a created object: its collection is the path without the object it was created from.
 */
const locationOf = ({ path, locatedAt, alsoMakes }: Endpoint, id: string) =>
  `${apiPrefix}${locatedAt ?? alsoMakes?.at ?? path}/${id}`
