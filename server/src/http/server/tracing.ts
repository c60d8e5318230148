import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../../observability/tracing.ts'
import { isProbe } from './traffic.ts'

/** Once per app, before its routes: creates a span per request and runs its work inside. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  const inside = <T>(request: FastifyRequest, work: () => T): T => {
    const span = spans.get(request)
    return span ? span.enter(work) : work()
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    const { url: route } = request.routeOptions
    if (isProbe(route)) return done()
    const span = tracing.ofRequest(`${request.method} ${route ?? 'none'}`, request.headers)
    span.set({
      'http.request.method': request.method,
      'http.route': route ?? 'none',
      'flightdeck.request_id': request.id,
    })
    spans.set(request, span)
    raw.once('close', () => {
      span.set({ 'http.response.status_code': raw.statusCode })
      if (raw.statusCode >= 500) span.fail()
      span.end()
    })
    done()
  })
  app.addHook('onRoute', (route) => {
    const { handler, onRequest } = route
    route.handler = function (request, reply) {
      return inside(request, () => handler.call(this, request, reply))
    }
    if (typeof onRequest !== 'function') return
    route.onRequest = function (request, reply, done) {
      return inside(request, () => onRequest.call(this, request, reply, done))
    }
  })
}
