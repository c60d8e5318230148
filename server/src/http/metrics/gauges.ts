import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../../kernel/context.ts'
import { maxCounted, queueDepths } from '../../observability/queue-depths.ts'
import { version } from '../../version.ts'

type GaugeSources = { app: FastifyInstance; services: Services; role: string }

/** What is the case when somebody asks. What cannot be known just then has no value. */
export function addGauges(register: Registry, { app, services, role }: GaugeSources): void {
  addInfo(register, role)
  addOfProcess(register, { app, services })
  addOfDatabase(register, services)
  addOfQueues(register, services)
}

function addInfo(register: Registry, role: string): void {
  const labelNames = ['role', 'version'] as const
  const help = 'Always 1: what this process is'
  const info = new Gauge({ name: 'flightdeck_info', help, labelNames, registers: [register] })
  info.set({ role, version }, 1)
}

type Process = Pick<GaugeSources, 'app' | 'services'>

function addOfProcess(register: Registry, { app, services }: Process): void {
  const registers = [register]
  new Gauge({
    name: 'flightdeck_http_requests_in_flight',
    help: 'Requests under way, but for event streams and probes',
    registers,
    collect() {
      this.set(app.traffic.underWay)
    },
  })
  new Gauge({
    name: 'flightdeck_event_streams_open',
    help: 'Event streams that clients have open',
    registers,
    collect() {
      this.set(services.counters.eventStreams)
    },
  })
}

function addOfDatabase(register: Registry, { database }: Services): void {
  const registers = [register]
  new Gauge({
    name: 'flightdeck_database_pool_connections',
    help: 'Connections for requests, by whether they carry a statement',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy, idle } = database.usage()
      this.set({ state: 'busy' }, busy)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'flightdeck_database_pool_waiting',
    help: 'Transactions that wait for a connection',
    registers,
    collect() {
      this.set(database.usage().waiting)
    },
  })
}

function addOfQueues(register: Registry, { database, clock }: Services): void {
  const registers = [register]
  const depths = queueDepths(database.reader, clock)
  new Gauge({
    name: 'flightdeck_deliveries_pending',
    help: `Webhook deliveries not yet succeeded or given up; counted up to ${maxCounted}`,
    registers,
    async collect() {
      const now = await depths()
      if (now) this.set(now.deliveriesPending)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_deliveries_oldest_pending_seconds',
    help: 'Since when the oldest has been due, of endpoints that are enabled and not paused',
    registers,
    async collect() {
      const now = await depths()
      if (now) this.set(now.oldestPendingSeconds)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_jobs_pending',
    help: `Jobs that are due and not begun; counted up to ${maxCounted}`,
    labelNames: ['queue'],
    registers,
    async collect() {
      const now = await depths()
      this.reset()
      for (const { queue, count } of now?.jobsPending ?? []) this.set({ queue }, count)
    },
  })
}
