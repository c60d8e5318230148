import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../../kernel/context.ts'
import { maxCounted, queueDepths } from '../../observability/queue-depths.ts'
import { shardsByNode } from '../../observability/shards.ts'
import { revision, version } from '../../version.ts'
import { addConditions } from './conditions.ts'
import { addDueWork } from './due-work.ts'

type GaugeSources = { app: FastifyInstance; services: Services; role: string }

/** Gauges read at scrape time; unknown values are omitted. */
export function addGauges(register: Registry, { app, services, role }: GaugeSources): void {
  addInfo(register, role)
  addOfProcess(register, { app, services })
  addOfDatabase(register, services)
  addOfCluster(register, services)
  addOfQueues(register, services)
  addConditions(register, services)
  addDueWork(register, services)
}

function addInfo(register: Registry, role: string): void {
  const labelNames = ['role', 'version', 'revision'] as const
  const help = 'Always 1; labels describe this process'
  const info = new Gauge({ name: 'flightdeck_info', help, labelNames, registers: [register] })
  info.set({ role, version, revision: revision ?? 'unknown' }, 1)
}

type Process = Pick<GaugeSources, 'app' | 'services'>

function addOfProcess(register: Registry, { app, services }: Process): void {
  const registers = [register]
  new Gauge({
    name: 'flightdeck_http_requests_in_flight',
    help: 'Requests in flight, without event streams and probes',
    registers,
    collect() {
      this.set(app.traffic.underWay)
    },
  })
  new Gauge({
    name: 'flightdeck_event_streams_open',
    help: 'Open event streams',
    registers,
    collect() {
      this.set(services.observability.counters.eventStreams)
    },
  })
  new Gauge({
    name: 'flightdeck_webhook_endpoints_stalled',
    help: 'Webhook endpoints to which this process sends nothing, as outcomes cannot be stored',
    registers,
    collect() {
      this.set(services.observability.counters.endpointsStalled)
    },
  })
}

function addOfDatabase(register: Registry, { database }: Services): void {
  const registers = [register]
  new Gauge({
    name: 'flightdeck_database_pool_connections',
    help: 'Database connections for requests, by whether they are in use',
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
    help: 'Transactions waiting for a connection',
    registers,
    collect() {
      this.set(database.usage().waiting)
    },
  })
}

function addOfCluster(register: Registry, { database }: Services): void {
  const shards = shardsByNode(database)
  new Gauge({
    name: 'flightdeck_citus_shards',
    help: 'Shards on each active node, where the database is distributed by Citus',
    labelNames: ['node'],
    registers: [register],
    async collect() {
      const nodes = await shards()
      this.reset()
      for (const { node, shards } of nodes ?? []) this.set({ node }, shards)
    },
  })
}

function addOfQueues(register: Registry, { database, clock }: Services): void {
  const registers = [register]
  const depths = queueDepths(database.reader, clock)
  new Gauge({
    name: 'flightdeck_deliveries_pending',
    help: `Webhook deliveries pending; counted up to ${maxCounted}`,
    registers,
    async collect() {
      const now = await depths()
      if (now) this.set(now.deliveriesPending)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_deliveries_oldest_pending_seconds',
    help: 'Due time of the oldest pending delivery of enabled endpoints that are not paused',
    registers,
    async collect() {
      const now = await depths()
      if (now) this.set(now.oldestPendingSeconds)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_jobs_pending',
    help: `Jobs that are due and not started; counted up to ${maxCounted}`,
    labelNames: ['queue'],
    registers,
    async collect() {
      const now = await depths()
      this.reset()
      for (const { queue, count } of now?.jobsPending ?? []) this.set({ queue }, count)
    },
  })
}
