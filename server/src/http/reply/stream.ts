import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { may, rolesWith } from '../../identity/permissions.ts'
import type { Services } from '../../kernel/context.ts'
import type { Endpoint, Live, LiveReply } from '../endpoint.ts'
import { authenticate, insufficientRole, revoked, suspended } from '../request/authenticate.ts'
import { logOf } from '../server/log.ts'

/** Replies that go on for as long as the client stays. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reply goes on: how long it takes says nothing. */
    live?: boolean
  }
}

/** A client that takes nothing for so long is gone, or as good as gone. */
const writeTimeoutMs = 60_000

/** An app that closes ends them: nobody else would. */
export function endWithApp(app: FastifyInstance, { readiness }: Services): void {
  app.addHook('preClose', async () => readiness.drain())
}

export function liveInput(
  services: Services,
  { permission }: Endpoint,
  headers: IncomingHttpHeaders,
): Live {
  const { authorization, 'last-event-id': lastEventId } = headers
  return {
    // Empty, as some clients send it before their first event, it names none.
    lastEventId: lastEventId ? String(lastEventId) : null,
    async recheck() {
      const credential = await authenticate(services, authorization)
      if (credential.isReplaced) throw revoked()
      if (permission && !may(credential, permission)) {
        throw insufficientRole(credential, rolesWith(permission))
      }
      if (credential.organization.status === 'suspended') throw suspended()
      return credential
    },
  }
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Written by hand: a stream of Node's for each would cost more memory than all else of it. */
export function sendLive(live: LiveReply, { request, reply }: Exchange): unknown {
  const { contentType, chunks, close } = live
  // Proxies such as nginx hold back what is not a whole page, unless they are told.
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
    logOf(request).error({ err }, 'a live reply broke off')
    raw.destroy()
  })
  return reply
}

/** One chunk waits at a time: the client sets the pace. */
async function pump(raw: ServerResponse, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    if (raw.destroyed) return
    if (!raw.write(chunk)) await writable(raw)
  }
  raw.end()
}

/** Until the client has taken what waits, or is gone. */
function writable(raw: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    raw.off('drain', done).off('close', done)
    resolve()
  }
  raw.once('drain', done).once('close', done)
  return promise
}
