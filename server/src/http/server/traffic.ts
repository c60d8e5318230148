import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context.ts'
import type { AdmissionControl, Slot } from '../../limits/admission.ts'
import type { Timed } from '../../limits/deadlines.ts'
import { Problem, retryLater } from '../../problems/problem.ts'
import { logRequest } from './log.ts'

/** Requests in flight: from their headers to the end of the response or the connection. */
export type Traffic = {
  readonly underWay: number
  /** Resolves when none is left, or after this time. */
  quiet(withinMs: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    traffic: Traffic
  }
  interface FastifyRequest {
    /** Null for probes. */
    visit: RequestVisit | null
  }
  interface FastifyContextConfig {
    url?: string
  }
}

type RequestVisit = Timed & {
  readonly config: FastifyContextConfig
  readonly place: Slot
  /** The slot of the body while it is being received. */
  body: Slot | null
  /** The response has ended or the client is gone. */
  isOver: boolean
  /** Failed in an outage of the database, which is logged as a whole. */
  isCounted: boolean
}

/** Probes are answered while draining or overloaded, as they report that state. */
const probes = new Set(['/livez', '/readyz', '/metrics'])
export const isProbe = (path = ''): boolean => probes.has(path)

/** Refuses new requests while draining or overloaded, and tracks the others. */
export function watchTraffic(
  app: FastifyInstance,
  { observability: { readiness }, limits: { admission: room } }: Services,
): void {
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
    const visit: RequestVisit = {
      config,
      place: room.place(),
      body: null,
      isOver: false,
      isCounted: false,
      looks: 0,
      isLate: false,
    }
    const refusal = readiness.draining ? retryLater('shutting_down') : refusalAt(visit.place)
    if (refusal) return done(refusal)
    request.visit = visit
    // Streams end themselves on drain, so they are not waited for.
    const counts = config.live === true ? 0 : 1
    underWay += counts
    // Covers both ends: there is no response event if the client hangs up.
    raw.once('close', () => {
      visit.isOver = true
      visit.place.leave()
      visit.body?.leave()
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

function refusalAt(place: Slot): Problem | undefined {
  try {
    place.acquire()
    return undefined
  } catch (refusal) {
    if (refusal instanceof Problem) return refusal
    throw refusal
  }
}

type AwaitedBody = { bodies: AdmissionControl; most: number; organizationId: string | null }

/**
 * While its body arrives a request holds memory, not a processing slot; throws 503 if in-flight
 * bodies are at their limit.
 */
export function waitForBody({ visit, headers }: FastifyRequest, awaited: AwaitedBody): void {
  const { bodies, most, organizationId } = awaited
  const bytes = announcedBytes(headers) ?? most
  if (!visit || bytes === 0) return
  visit.place.leave()
  // Oversized bodies are refused unread, and a closed connection sends nothing more.
  if (bytes > most || visit.isOver) return
  visit.body = bodies.place()
  visit.body.assign(organizationId, bytes)
  visit.body.acquire()
}

/** The announced body length; undefined for chunked bodies. */
export const announcedBytes = (headers: FastifyRequest['headers']): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

/** Holds the slot until the work ends, even if the client is gone. */
export async function inFlight<T>({ visit }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  if (!visit) return work()
  visit.body?.leave()
  try {
    return await visit.place.work(work)
  } finally {
    if (visit.config.live) visit.place.leave()
  }
}

/** A request that exceeds its deadline gets 503; its work keeps the slot until it ends. */
export const inTime = <T>(
  { visit }: FastifyRequest,
  { limits: { deadlines } }: Services,
  work: () => Promise<T>,
): Promise<T> => (visit ? deadlines.within(visit, work) : work())
