import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context.ts'
import type { AdmissionControl, Slot } from '../../limits/admission.ts'
import type { Timed } from '../../limits/deadlines.ts'
import { type Problem, retryLater } from '../../problems/problem.ts'
import { logRequest } from './log.ts'

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
    visit: RequestVisit | null
  }
  interface FastifyContextConfig {
    url?: string
  }
}

type RequestVisit = Timed & {
  readonly config: FastifyContextConfig
  readonly place: Slot
  /** What its body takes while it comes, of what all bodies may. */
  body: Slot | null
  /** Its answer, or its client, has come to an end. */
  isOver: boolean
}

/** Probes are answered while draining and overloaded too: they are how others learn of it. */
const probes = new Set(['/livez', '/readyz', '/metrics'])
export const isProbe = (path = ''): boolean => probes.has(path)

/** The way in: refuses what comes while the process drains or is full, and follows the rest. */
export function watchTraffic(app: FastifyInstance, { readiness, admission: room }: Services): void {
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
      looks: 0,
      isLate: false,
    }
    const refusal = readiness.draining ? retryLater('shutting_down') : refusalAt(visit.place)
    if (refusal) return done(refusal)
    request.visit = visit
    // What goes on by itself ends by itself when the process drains.
    const counts = config.live === true ? 0 : 1
    underWay += counts
    // Until its end, whichever: a client that hangs up gets no response.
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
    return refusal as Problem
  }
}

type AwaitedBody = { bodies: AdmissionControl; most: number; organizationId: string | null }

/**
 * While its body comes, at whatever speed, a request takes no room, but memory: throws 503 when bodies
 * on their way have all that they may.
 */
export function waitForBody({ visit, headers }: FastifyRequest, awaited: AwaitedBody): void {
  const { bodies, most, organizationId } = awaited
  const bytes = announcedBytes(headers) ?? most
  if (!visit || bytes === 0) return
  visit.place.leave()
  // What is too large is refused unread, and who has hung up sends no more.
  if (bytes > most || visit.isOver) return
  visit.body = bodies.place()
  visit.body.assign(organizationId, bytes)
  visit.body.acquire()
}

/** How long the body is; undefined where it comes in chunks. */
export const announcedBytes = (headers: FastifyRequest['headers']): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

/** The work takes room until it ends, whether or not somebody still waits for it. */
export async function inFlight<T>({ visit }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  if (!visit) return work()
  visit.body?.leave()
  try {
    return await visit.place.work(work)
  } finally {
    if (visit.config.live) visit.place.leave()
  }
}

/** A request that takes too long is answered 503; what it waits for holds its room until it ends. */
export const inTime = <T>(
  { visit }: FastifyRequest,
  { deadlines }: Services,
  work: () => Promise<T>,
): Promise<T> => (visit ? deadlines.within(visit, work) : work())
