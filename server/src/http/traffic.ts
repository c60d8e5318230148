import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../kernel/context.ts'
import { type Problem, retryLater } from '../kernel/errors.ts'
import type { Place } from '../kernel/room.ts'
import { logRequest } from './request-log.ts'

/** The requests under way: from their headers to the end of their answer, or of their client. */
export type Traffic = {
  readonly underWay: number
  /** Resolves when none is left, or when that takes longer than this. */
  quiet(withinMs: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    traffic: Traffic
  }
  interface FastifyRequest {
    /** Of every request but those of probes. */
    visit: Visit | null
  }
  interface FastifyContextConfig {
    url?: string
  }
}

type Visit = {
  readonly config: FastifyContextConfig
  readonly place: Place
  /** Whether the exchange itself takes room, and not only the work of its endpoint. */
  isInside: boolean
}

/** Probes are answered while draining and overloaded too: they are how others learn of it. */
const probes = new Set(['/livez', '/readyz', '/metrics'])
export const isProbe = (path = ''): boolean => probes.has(path)

/** The way in: refuses what comes while the process drains or is full, and follows the rest. */
export function watchTraffic(app: FastifyInstance, { readiness, room }: Services): void {
  let underWay = 0
  let whenQuiet = () => {}
  const isDebugging = /^(trace|debug)$/.test(app.log.level ?? '')

  app.decorateRequest('visit', null)
  app.decorate('traffic', {
    get underWay() {
      return underWay
    },
    quiet: async (withinMs: number) => {
      if (underWay === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenQuiet = resolve
      await Promise.race([promise, sleep(withinMs, undefined, { ref: false })])
    },
  })
  app.addHook('onRequest', (request, { raw }, done) => {
    const { config } = request.routeOptions
    if (isProbe(config.url)) return done()
    const visit = { config, place: room.place(), isInside: true }
    const refusal = readiness.draining ? retryLater('shutting_down') : refusalAt(visit.place)
    if (refusal) return done(refusal)
    request.visit = visit
    // What goes on by itself ends by itself when the process drains.
    const counts = config.live === true ? 0 : 1
    underWay += counts
    // Until its end, whichever: a client that hangs up gets no response.
    raw.once('close', () => {
      leave(visit)
      underWay -= counts
      if (underWay === 0) whenQuiet()
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    logRequest({ request, reply, isDebugging })
    done()
  })
}

function refusalAt(place: Place): Problem | undefined {
  try {
    place.enter()
    return undefined
  } catch (refusal) {
    return refusal as Problem
  }
}

function leave(visit: Visit): void {
  if (!visit.isInside) return
  visit.isInside = false
  visit.place.leave()
}

/** While its body comes, at whatever speed, a request takes no room. */
export function waitForBody({ visit, headers }: FastifyRequest): void {
  const length = headers['content-length'] ?? '0'
  const hasBody = length !== '0' || headers['transfer-encoding'] !== undefined
  if (visit && hasBody) leave(visit)
}

/** The work takes room until it ends, whether or not somebody still waits for it. */
export async function atWork<T>({ visit }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  if (!visit) return work()
  visit.place.enter()
  try {
    return await work()
  } finally {
    visit.place.leave()
    if (visit.config.live) leave(visit)
  }
}
