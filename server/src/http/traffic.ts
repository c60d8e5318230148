import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { retryLater } from '../kernel/errors.ts'
import type { Readiness } from '../kernel/readiness.ts'

/** The requests under way. */
export type Traffic = {
  /** Resolves when none is left, or when that takes longer than this. */
  quiet(withinMs: number): Promise<void>
}

/** Probes are answered while draining too: they are how others learn of it. */
const probes = new Set(['/livez', '/readyz', '/metrics'])
const slowAfterMs = 1_000

/** Follows every request: refuses new ones once the process drains, logs the slow and the failed. */
export function watchTraffic(app: FastifyInstance, readiness: Readiness): Traffic {
  const underWay = new Set<FastifyRequest>()
  let whenQuiet = () => {}
  const isDebugging = /^(trace|debug)$/.test(app.log.level ?? '')

  app.addHook('onRequest', (request, reply, done) => {
    if (readiness.draining && !probes.has(pathOf(request))) {
      reply.header('connection', 'close')
      done(retryLater('shutting_down'))
      return
    }
    // What goes on by itself ends by itself when the process drains.
    if (!isLive(request)) follow(request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, isDebugging)
    done()
  })

  /** Until its end, whichever: a client that hangs up gets no response. */
  function follow(request: FastifyRequest, { raw }: FastifyReply): void {
    underWay.add(request)
    raw.once('close', () => {
      underWay.delete(request)
      if (underWay.size === 0) whenQuiet()
    })
  }

  return {
    quiet: async (withinMs) => {
      if (underWay.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenQuiet = resolve
      await Promise.race([promise, sleep(withinMs, undefined, { ref: false })])
    },
  }
}

const isLive = ({ routeOptions }: FastifyRequest) => routeOptions.config.live === true

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? url

/**
 * Each request at `debug`; at `warn` those that failed on our side or were slow. Never a query (it
 * holds what people search for), a header or a body.
 */
function logRequest(request: FastifyRequest, reply: FastifyReply, isDebugging: boolean): void {
  const path = pathOf(request)
  const isSlow = reply.elapsedTime > slowAfterMs && !isLive(request)
  const isNotable = isSlow || (reply.statusCode >= 500 && !probes.has(path))
  if (!isNotable && !isDebugging) return
  const facts = {
    method: request.method,
    path,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
  }
  if (isNotable) request.log.warn(facts, 'request')
  else request.log.debug(facts, 'request')
}
