import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { notFound, Problem } from '../../kernel/errors.ts'
import { sha256 } from './digest.ts'

export type Metrics = { contentType: string; read(): Promise<string> }

/** Measures the process and every request of the app, in the format of Prometheus. */
export function measure(app: FastifyInstance): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'flightdeck_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, never the path: ids would make a series each.
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: reply.statusCode }
    duration.observe(labels, reply.elapsedTime / 1000)
  })
  return { contentType: registry.contentType, read: () => registry.metrics() }
}

/** 404 while no token is configured, 401 without the right one. */
export function admitScraper({ headers }: FastifyRequest, token: string | null): void {
  if (token === null) throw notFound()
  const { authorization } = headers
  if (!authorization) throw new Problem('missing_token', 'The metrics token is missing.')
  const isRight = timingSafeEqual(sha256(authorization), sha256(`Bearer ${token}`))
  if (!isRight) throw new Problem('invalid_token', 'This is not the metrics token.')
}
