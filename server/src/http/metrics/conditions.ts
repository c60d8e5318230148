import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../../kernel/context.ts'
import { conditionsOf } from '../../observability/conditions.ts'
import { maxCounted } from '../../observability/queue-depths.ts'

/** Gauges for alerts on what an operator should know of. */
export function addConditions(register: Registry, services: Services): void {
  addOfReadiness(register, services)
  addOfDatabase(register, services)
}

function addOfReadiness(register: Registry, { observability: { readiness } }: Services): void {
  const registers = [register]
  new Gauge({
    name: 'flightdeck_ready',
    help: 'Whether /readyz answers 200',
    registers,
    async collect() {
      const { ready } = await readiness.report()
      this.set(ready ? 1 : 0)
    },
  })
  new Gauge({
    name: 'flightdeck_writes_failing',
    help: 'Whether the database refuses all writes: a full disk, a read-only server',
    registers,
    async collect() {
      const { checks } = await readiness.report()
      this.set(checks.writes === 'failed' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'flightdeck_limits_fallback',
    help: 'Whether PostgreSQL counts requests in place of the Redis that is configured',
    registers,
    async collect() {
      const { checks } = await readiness.report()
      this.set(checks.limits === 'fallback' ? 1 : 0)
    },
  })
}

function addOfDatabase(register: Registry, { database }: Services): void {
  const registers = [register]
  const conditions = conditionsOf(database.reader)
  new Gauge({
    name: 'flightdeck_proxies_failing',
    help: `Proxies whose checks fail; counted up to ${maxCounted}`,
    registers,
    async collect() {
      const now = await conditions()
      if (now) this.set(now.proxiesFailing)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_webhook_endpoints_given_up',
    help: `Webhook endpoints that the service has disabled; counted up to ${maxCounted}`,
    registers,
    async collect() {
      const now = await conditions()
      if (now) this.set(now.endpointsGivenUp)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_audit_chain_broken',
    help: `Organizations whose audit chain is broken; counted up to ${maxCounted}`,
    registers,
    async collect() {
      const now = await conditions()
      if (now) this.set(now.chainsBroken)
      else this.remove()
    },
  })
  new Gauge({
    name: 'flightdeck_task_last_success_timestamp_seconds',
    help: 'When a backup or a scheduled job last succeeded',
    labelNames: ['task'],
    registers,
    async collect() {
      const now = await conditions()
      this.reset()
      for (const { task, seconds } of now?.successes ?? []) this.set({ task }, seconds)
    },
  })
}
