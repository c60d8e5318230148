import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { Services } from '../../kernel/context.ts'
import { apiPrefix } from '../pipeline.ts'
import { addGauges } from './gauges.ts'
import type { Metrics } from './open.ts'
import { histogramText, type RequestSeries, requestSeries } from './request-series.ts'

export type MetricsSources = { services: Services; role: string }

/** Prometheus metrics of the process and of every request. */
export function measure(app: FastifyInstance, { services, role }: MetricsSources): Metrics {
  const register = new Registry()
  const requests = requestSeries()
  collectDefaultMetrics({ register })
  addCounters(register, services, requests)
  addRefusals(register, services)
  addStorage(register, services)
  addGauges(register, { app, services, role })
  app.addHook('onResponse', (request, reply, done) => {
    // The route pattern, never the path: ids would create a series each.
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
  help: 'Time from receiving the headers of a request to the end of its response',
}

/** Copies internal counters to the registry at scrape time. */
function addCounters(
  register: Registry,
  { observability: { counters: meters } }: Services,
  requests: RequestSeries,
): void {
  new Counter({
    name: 'flightdeck_http_requests_total',
    help: 'Requests answered',
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
    name: 'flightdeck_deliveries_total',
    help: 'Webhook delivery attempts, by resulting delivery status',
    labelNames: ['outcome'],
    registers: [register],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(meters.deliveries)) this.inc({ outcome }, count)
    },
  })
  new Counter({
    name: 'flightdeck_jobs_total',
    help: 'Completed scheduled jobs, by queue and outcome',
    // Not `job`: Prometheus reserves that label.
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

function addRefusals(
  register: Registry,
  { observability: { counters: meters, writes } }: Services,
): void {
  new Counter({
    name: 'flightdeck_requests_refused_total',
    help: 'Requests refused before processing',
    labelNames: ['reason'],
    registers: [register],
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(meters.refused)) this.inc({ reason }, count)
    },
  })
  new Counter({
    name: 'flightdeck_writes_refused_total',
    help: 'Transactions that the database refused because it takes no writes',
    registers: [register],
    collect() {
      this.reset()
      this.inc(writes.refused)
    },
  })
}

function addStorage(register: Registry, { observability: { counters: meters } }: Services): void {
  new Counter({
    name: 'flightdeck_storage_refusals_total',
    help: 'Writes refused because the organization stores all that its plan allows',
    registers: [register],
    collect() {
      this.reset()
      this.inc(meters.storageRefusals)
    },
  })
  new Counter({
    name: 'flightdeck_storage_warnings_total',
    help: 'Warnings to organizations that use 80 % of the storage of their plan',
    registers: [register],
    collect() {
      this.reset()
      this.inc(meters.storageWarnings)
    },
  })
}
