import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { canonicalJson } from '../kernel/canonical.ts'
import { recordDenial } from '../kernel/change.ts'
import type { Actor, BareContext, Context, RequestFacts, Services } from '../kernel/context.ts'
import { type Fault, invalid, Problem, retryLater } from '../kernel/errors.ts'
import { Replay } from '../kernel/idempotency.ts'
import { may, type Permission, rolesWith } from '../kernel/permissions.ts'
import { authenticate, type Credential, revoked } from './authenticate.ts'
import { type Endpoint, type Input, methodsOf, type Streamed, statusOf } from './endpoint.ts'
import { matchesTag, type ReadHeaders, readHeaders, reasonIn } from './headers.ts'
import { pointerToken } from './json.ts'
import { linkNext } from './links.ts'
import { readQuery } from './query.ts'
import { rateLimitHeaders } from './rate-limit.ts'
import { type Validator, validatorOf } from './validate.ts'

export const apiPrefix = '/api/v1'

/** What the first half of a request (before its body is read) leaves for the second. */
type Opened = { ctx: Context | BareContext; headers: ReadHeaders; query: Input<unknown>['query'] }

/** A member of the request, declared by `rememberOpened`: a weak map would cost each collection. */
const openedBy = (request: FastifyRequest) => request as FastifyRequest & { opened?: Opened }

/** Once for an app, before its endpoints. */
export function rememberOpened(app: FastifyInstance): void {
  app.decorateRequest('opened', undefined)
}

/** Registers one endpoint; its order of checks is that of the contract. */
export function addEndpoint(app: FastifyInstance, services: Services, endpoint: Endpoint): void {
  const validate = endpoint.body ? validatorOf(endpoint.body) : undefined
  const status = statusOf(endpoint)
  app.route({
    method: [...methodsOf(endpoint)],
    url: `${apiPrefix}${endpoint.path}`,
    ...(endpoint.reply ? { schema: { response: { [status]: endpoint.reply } } } : {}),
    onRequest: async (request, reply) => {
      openedBy(request).opened = await open(services, endpoint, { request, reply })
    },
    handler: (request, reply) => answer(endpoint, validate, { request, reply }),
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Credential, rate limit, role, headers, query: everything that needs no body. */
async function open(
  services: Services,
  endpoint: Endpoint,
  { request, reply }: Exchange,
): Promise<Opened> {
  const ctx = endpoint.permission
    ? await admit(services, { ...endpoint, permission: endpoint.permission }, { request, reply })
    : bareContext(services, factsOf(request, endpoint))
  const headers = readHeaders(request.headers)
  const query = readQuery(searchOf(request.url), endpoint.query ?? {})
  const { ifMatch, reason } = headers
  return { ctx: { ...ctx, ifMatch, reason }, headers, query }
}

const searchOf = (url: string): string => {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

const bareContext = (services: Services, request: RequestFacts): BareContext => ({
  db: services.database.reader.kysely,
  reader: services.database.reader,
  services,
  request,
})

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url

const factsOf = (request: FastifyRequest, endpoint: Endpoint): RequestFacts => ({
  id: request.id,
  method: request.method,
  path: pathOf(request),
  status: statusOf(endpoint),
  ip: request.ip,
  user_agent: request.headers['user-agent']?.slice(0, 500).toWellFormed() ?? null,
})

type GuardedEndpoint = Endpoint & { permission: Permission }

async function admit(
  services: Services,
  endpoint: GuardedEndpoint,
  { request, reply }: Exchange,
): Promise<Context> {
  const credential = await authenticate(services, request.headers.authorization)
  if (credential.isReplaced && !endpoint.takesReplacedToken) throw revoked()
  const allowance = await services.limits.take(credential.session.organization)
  reply.headers(rateLimitHeaders(allowance))
  if (!allowance.allowed) throw tooMany(allowance.resetSeconds)
  const ctx = contextOf(services, credential, factsOf(request, endpoint))
  await checkRole({ ...ctx, reason: reasonIn(request.headers) }, endpoint)
  return ctx
}

const tooMany = (seconds: number) =>
  new Problem('rate_limited', `The organization's requests are used up for ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })

function contextOf(
  services: Services,
  { claims, session }: Credential,
  request: RequestFacts,
): Context {
  const actor: Actor = { type: 'user', id: session.userId, name: session.userName }
  return {
    ...bareContext(services, request),
    organization: session.organization,
    actor,
    role: session.role,
    sessionId: claims.sessionId,
    tokenId: claims.tokenId,
    ifMatch: null,
    idempotency: null,
    faults: [],
    reason: null,
  }
}

/** A write that the role refuses is told to the audit log before the caller gets the 403. */
async function checkRole(ctx: Context, endpoint: GuardedEndpoint): Promise<void> {
  const { permission, action } = endpoint
  if (!may(ctx.role, permission)) {
    if (action) await recordDenial(ctx, action)
    throw new Problem('insufficient_role', `The role ${ctx.role} may not do this.`, {
      members: { required_roles: rolesWith(permission) },
    })
  }
  const isWrite = action && !action.startsWith('auth.') && !methodsOf(endpoint).includes('GET')
  if (isWrite && ctx.organization.status === 'suspended') {
    throw new Problem(
      'organization_suspended',
      'The organization is suspended: it can only be read.',
    )
  }
}

/** Body, schema, verb, reply. */
async function answer(
  endpoint: Endpoint,
  validate: Validator | undefined,
  { request, reply }: Exchange,
): Promise<unknown> {
  const { opened } = openedBy(request)
  if (!opened) throw retryLater('unavailable')
  const { body = {} } = request
  const { id = '' } = request.params as { id?: string }
  const input = { body, id, query: opened.query }
  const faults = validate?.(body) ?? []
  if (faults.length > 0) throw invalid(await allFaults(endpoint, opened.ctx, { ...input, faults }))
  const key = idempotencyOf(opened, request, endpoint)
  const work = (ctx: Opened['ctx']) => endpoint.run(ctx, input)
  const result = key
    ? await once(key.scope, () => work({ ...opened.ctx, idempotency: key } as Context), reply)
    : await work(opened.ctx)
  return write(endpoint, result, { request, reply })
}

/**
 * Every fault is told at once: the verb runs without the fields that are faulty by their shape, to
 * find what else is wrong. It cannot commit, because its context carries the faults so far.
 */
async function allFaults(
  endpoint: Endpoint,
  ctx: Opened['ctx'],
  { faults, ...input }: Input<unknown> & { faults: Fault[] },
): Promise<Fault[]> {
  if (!endpoint.gathersFaults) return faults
  const isKnown = (fault: Fault) =>
    faults.some((known) => isWithin(fault, known) || isWithin(known, fault))
  try {
    await endpoint.run({ ...ctx, faults }, { ...input, body: withoutFaulty(input.body, faults) })
    return faults
  } catch (error) {
    const more = error instanceof Problem && error.code === 'validation_failed' ? error.faults : []
    return [...faults, ...more.filter((fault) => !isKnown(fault))]
  }
}

const isWithin = (inner: Fault, outer: Fault) => `${inner.pointer}/`.startsWith(`${outer.pointer}/`)

const withoutFaulty = (body: unknown, faults: Fault[]): object =>
  isRecord(body)
    ? pruned(
        body,
        faults.map(({ pointer = '' }) => pointer.split('/').slice(1)),
      )
    : {}

/** Leaves out what the paths lead to: fields of objects in objects, but lists as a whole. */
function pruned(record: object, paths: string[][]): object {
  const kept = Object.entries(record).flatMap(([field, value]) => {
    const inner = paths
      .filter(([first]) => first === pointerToken(field))
      .map((path) => path.slice(1))
    if (inner.length === 0) return [[field, value]]
    const isPartly = isRecord(value) && inner.every((path) => path.length > 0)
    return isPartly ? [[field, pruned(value, inner)]] : []
  })
  return Object.fromEntries(kept)
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function idempotencyOf({ ctx, headers }: Opened, request: FastifyRequest, endpoint: Endpoint) {
  const isScoped = 'organization' in ctx && request.method === 'POST'
  if (!isScoped || headers.idempotencyKey === null || endpoint.permission === null) return undefined
  const { actor, services } = ctx
  const scope = `${actor.id} ${request.method} ${pathOf(request)} ${headers.idempotencyKey}`
  // Keyed, because a body may hold a password that a plain digest would let others guess.
  const fingerprint = services.cipher.sign(canonicalJson(request.body ?? null), 'idempotency')
  return { scope, fingerprint: fingerprint.toString('base64url') }
}

const running = new Set<string>()

/** A second request with the key of one that runs is told so; one that has run is answered alike. */
async function once(scope: string, work: () => Promise<unknown>, reply: FastifyReply) {
  if (running.has(scope)) {
    throw new Problem('idempotency_in_progress', 'The first request with this key is running.', {
      headers: { 'retry-after': '1' },
    })
  }
  running.add(scope)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Replay)) throw error
    reply.header('idempotency-replayed', 'true')
    return error.reply.body
  } finally {
    running.delete(scope)
  }
}

function write(endpoint: Endpoint, result: unknown, { request, reply }: Exchange): unknown {
  const status = statusOf(endpoint)
  const isPrivate = endpoint.permission !== null && !endpoint.noStore
  reply.header('cache-control', isPrivate ? 'private, no-cache' : 'no-store')
  reply.header('vary', 'Authorization')
  if (endpoint.streams) return stream(result as Streamed, { request, reply })
  if (status === 204) return reply.code(204).send()
  const { version, id } = result as { version?: number; id?: string }
  if (version !== undefined) {
    const etag = `"${version}"`
    reply.header('etag', etag)
    const known =
      request.method === 'GET' || request.method === 'HEAD'
        ? request.headers['if-none-match']
        : undefined
    if (known !== undefined && matchesTag(known, etag)) return reply.code(304).send()
  }
  if (status === 201 && id) reply.header('location', locationOf(endpoint, id))
  linkNext(request, reply, result)
  return reply.code(status).send(result)
}

/** Where a created object is: its collection is the path without the object it was made from. */
const locationOf = ({ path, locatedAt }: Endpoint, id: string) =>
  `${apiPrefix}${locatedAt ?? path}/${id}`

/**
 * A fault before the first chunk is a problem document; one halfway cuts the connection, so that
 * nobody takes a part for the whole. One chunk waits at a time: the client sets the pace.
 */
function stream(
  { contentType, fileName, chunks }: Streamed,
  { request, reply }: Exchange,
): unknown {
  reply.header('content-type', contentType)
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  const body = request.method === 'HEAD' ? [] : chunks
  return reply.send(Readable.from(body, { highWaterMark: 1 }))
}
