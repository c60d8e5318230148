import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../../kernel/context.ts'
import { dueWorkOf } from '../../observability/due-work.ts'

/** Measures how late due work is, and when each kind was last done: the same from every process. */
export function addDueWork(
  register: Registry,
  { database, clock, declared: { dueWorks } }: Services,
): void {
  const registers = [register]
  const labelNames = ['work'] as const
  const works = dueWorkOf(database.reader, { works: dueWorks, clock })
  new Gauge({
    name: 'flightdeck_due_oldest_seconds',
    help: 'How long the oldest work has been due, by real time; 0 while none is late',
    labelNames,
    registers,
    async collect() {
      const all = await works()
      this.reset()
      for (const { work, lateSeconds } of all ?? []) this.set({ work }, lateSeconds)
    },
  })
  new Gauge({
    name: 'flightdeck_work_last_success_timestamp_seconds',
    help: 'When all that was due had last been done',
    labelNames,
    registers,
    async collect() {
      const all = await works()
      this.reset()
      for (const { work, succeededAt } of all ?? []) this.set({ work }, succeededAt)
    },
  })
}
