import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { Services } from '../../kernel/context.ts'
import { apiPrefix } from '../pipeline.ts'
import { addGauges } from './gauges.ts'
import type { Metrics } from './open.ts'
import { histogramText, type RequestSeries, requestSeries } from './request-series.ts'

export type MetricsSources = { services: Services; role: string }

/** Measures the process and every request of the app, in the format of Prometheus. */
export function measure(app: FastifyInstance, { services, role }: MetricsSources): Metrics {
  const register = new Registry()
  const requests = requestSeries()
  collectDefaultMetrics({ register })
  addCounters(register, services, requests)
  addGauges(register, { app, services, role })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, never the path: ids would make a series each.
    const { url: route = 'none' } = request.visit?.config ?? request.routeOptions
    requests.note({ method: request.method, route }, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  return {
    contentType: register.contentType,
    read: async () => `${await register.metrics()}\n${histogramText(duration, requests.all())}`,
  }
}

const duration = {
  name: 'flightdeck_http_request_duration_seconds',
  help: 'Time from the headers of a request to the end of its answer',
}

/** What was counted meanwhile, put into the library’s form when somebody asks. */
function addCounters(
  register: Registry,
  { counters: meters }: Services,
  requests: RequestSeries,
): void {
  new Counter({
    name: 'flightdeck_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['method', 'route', 'status'],
    registers: [register],
    collect() {
      this.reset()
      for (const { method, route, byStatus } of requests.all()) {
        for (const [status, count] of byStatus) this.inc({ method, route, status }, count)
      }
      const { turnedAway } = meters
      if (turnedAway > 0)
        this.inc({ method: 'any', route: `${apiPrefix}/*`, status: 503 }, turnedAway)
    },
  })
  new Counter({
    name: 'flightdeck_requests_refused_total',
    help: 'Requests that were refused before their work',
    labelNames: ['reason'],
    registers: [register],
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(meters.refused)) this.inc({ reason }, count)
    },
  })
  new Counter({
    name: 'flightdeck_deliveries_total',
    help: 'Attempts of webhook deliveries, by what became of the delivery',
    labelNames: ['outcome'],
    registers: [register],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(meters.deliveries)) this.inc({ outcome }, count)
    },
  })
  new Counter({
    name: 'flightdeck_jobs_total',
    help: 'Jobs at fixed times that were done, by queue and by whether they succeeded',
    // Not `job`: that label is Prometheus's own.
    labelNames: ['queue', 'outcome'],
    registers: [register],
    collect() {
      this.reset()
      for (const [queue, counts] of meters.jobs) {
        for (const [outcome, count] of Object.entries(counts)) this.inc({ queue, outcome }, count)
      }
    },
  })
}
