import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { insufficientRole, may } from '../../identity/permissions.ts'
import type { Services } from '../../kernel/context.ts'
import type { Endpoint, Live, LiveReply } from '../endpoint.ts'
import type { Exchange } from '../exchange.ts'
import { authenticate, revoked, suspended } from '../request/authenticate.ts'
import { checkFactor } from '../request/second-factor.ts'
import { authorizationOf } from '../request/session-cookie.ts'
import { logOf } from '../server/log.ts'
import { isStreamed } from './send-file.ts'

/** Replies that continue as long as the client stays connected. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A live reply: excluded from slow-request logging. */
    live?: boolean
    /** Waits for news: excluded likewise. */
    waits?: boolean
  }
}

/** A client that reads nothing for this long is considered gone. */
const writeTimeoutMs = 60_000

/** Ends open streams when the app closes. */
export function endWithApp(app: FastifyInstance, { observability: { readiness } }: Services): void {
  app.addHook('preClose', async () => readiness.drain())
}

export function liveInput(
  services: Services,
  { permission }: Endpoint,
  request: FastifyRequest,
): Live {
  const { authorization } = authorizationOf({ request, publicUrl: services.config.publicUrl })
  const { 'last-event-id': lastEventId } = request.headers
  return {
    // Some clients send it empty before their first event.
    lastEventId: lastEventId ? String(lastEventId) : null,
    async recheck() {
      const credential = await authenticate(services, authorization)
      if (credential.isReplaced) throw revoked()
      checkFactor(services, credential, {})
      if (permission && !may(credential, permission)) {
        throw insufficientRole(credential, permission.roles)
      }
      if (credential.organization.status === 'suspended') throw suspended()
      return credential
    },
  }
}

type StreamExchange = Exchange & { services: Services }

export const isLive = (result: unknown): result is LiveReply =>
  isStreamed(result) && result.close !== undefined

/** Written directly: a Node.js stream per client would dominate the memory use. */
export function sendLive(live: LiveReply, { services, request, reply }: StreamExchange): unknown {
  const { contentType, chunks, close } = live
  // Makes proxies such as nginx pass on chunks unbuffered.
  reply.headers({ 'content-type': contentType, 'x-accel-buffering': 'no' })
  if (request.method === 'HEAD' || reply.raw.destroyed) {
    close()
    return reply.send('')
  }
  const { raw } = reply.header('connection', 'close').hijack()
  raw.once('close', close)
  raw.setTimeout(writeTimeoutMs, () => raw.destroy())
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  pump(raw, chunks).catch((err: unknown) => {
    const isCounted = services.observability.failures.isOutage('live replies', err)
    if (!isCounted) logOf(request).error({ err }, 'a live reply failed')
    raw.destroy()
  })
  return reply
}

/** Buffers one chunk: the client sets the pace. */
async function pump(raw: ServerResponse, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    if (raw.destroyed) return
    if (!raw.write(chunk)) await writable(raw)
  }
  raw.end()
}

/** Resolves when the client has taken the buffered data or is gone. */
function writable(raw: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    raw.off('drain', done).off('close', done)
    resolve()
  }
  raw.once('drain', done).once('close', done)
  return promise
}
