import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../http/request/authenticate.ts'
import { maxBodyBytes, readBody } from '../http/request/body.ts'
import { rateLimitHeaders, tooMany } from '../http/request/rate-limit.ts'
import { inTime, waitForBody } from '../http/server/traffic.ts'
import { insufficientRole, may, readReference } from '../identity/permissions.ts'
import type { Services } from '../kernel/context.ts'
import { notFound, Problem } from '../problems/problem.ts'
import { memberOf } from '../values/objects.ts'
import { checkAddresses, ownOrigin } from './addresses.ts'
import type { SendToApi } from './call.ts'

export const mcpPath = '/mcp'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential of a message is known: agents get a shorter list of tools. */
    isOfAgent: boolean
  }
}

/** `POST /mcp`: the Model Context Protocol over the API. The protocol's code loads at first use. */
export function addMcp(app: FastifyInstance, services: Services): void {
  const { config } = services
  app.decorateRequest('isOfAgent', false)
  app.post(mcpPath, {
    bodyLimit: maxBodyBytes,
    onRequest: async (request, reply) => {
      if (!config.mcp) throw notFound()
      const port = request.socket.localPort ?? config.port
      checkAddresses(config, { host: request.host, origin: request.headers.origin, port })
      const organizationId = await inTime(request, services, () => admit(services, request, reply))
      waitForBody(request, { bodies: services.limits.uploads, most: maxBodyBytes, organizationId })
    },
    handler: async (request, reply) => {
      request.visit?.body?.leave()
      // Each call of the API takes a place of its own, so that none waits for this one.
      request.visit?.place.leave()
      const response = await answer(app, services, request)
      response.headers.forEach((value, name) => void reply.header(name, value))
      reply.header('cache-control', 'no-store')
      return reply.code(response.status).send(await response.text())
    },
  })
}

/** The credential, and a request's worth of the limit: answers that call nothing cost too. */
async function admit(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const holder = await authenticate(services, request.headers.authorization)
  const { organization, agent } = holder
  if (!may(holder, readReference)) throw insufficientRole(holder, readReference.roles)
  request.isOfAgent = agent !== null
  const allowance = await services.limits.rates.take(organization, 1)
  reply.headers(rateLimitHeaders(allowance))
  if (!allowance.allowed) throw tooMany(allowance.resetSeconds)
  request.visit?.place.assign(organization.id, 1, true)
  return organization.id
}

async function answer(app: FastifyInstance, services: Services, request: FastifyRequest) {
  const message = messageIn(request)
  const [{ createMcpHandler }, { mcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  const origin = ownOrigin(services.config)
  const userAgent = request.headers['user-agent']
  const { isOfAgent } = request
  const caller = { send: sendWithin(app, request), origin, userAgent, isOfAgent }
  const factory = () => mcpServer(caller)
  const handler = createMcpHandler(factory, { maxSubscriptions: 0 })
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
  )
  const received = new Request(`${origin}${mcpPath}`, { method: 'POST', headers })
  return handler.fetch(received, { parsedBody: message })
}

function messageIn(request: FastifyRequest): unknown {
  const { body } = request
  if (!Buffer.isBuffer(body)) throw new Problem('malformed_json', 'The body is missing.')
  const message = readBody(request, body, { carriesMany: true })
  if (memberOf(message, 'method') === 'subscriptions/listen') {
    throw new Problem('not_implemented', 'Nothing here changes by itself: there is no stream.')
  }
  if (!Array.isArray(message)) return message
  // Many calls in one body would be one request to the limits.
  throw new Problem('malformed_json', 'The body is one message, not a list.')
}

/** Through the same pipeline as every request, from the caller's address. */
const sendWithin =
  (app: FastifyInstance, { headers, ip, host }: FastifyRequest): SendToApi =>
  async (sent) => {
    const authorization = headers.authorization ?? ''
    const reply = await app.inject({
      method: sent.method,
      url: sent.url,
      headers: { host, ...sent.headers, authorization },
      remoteAddress: ip,
      ...(sent.body !== undefined && { payload: sent.body }),
    })
    return { status: reply.statusCode, body: reply.body }
  }
