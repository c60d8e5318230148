import { setTimeout as rest } from 'node:timers/promises'
import type { SingletonTask } from '../../../jobs/job.ts'
import { actAsSystem, nowText, type Services } from '../../../kernel/context.ts'
import { assessClient, type DueClient } from './assess-due.ts'

/** Assesses clients again when the day turns, when reports stay out, and when they were marked. */
export const dueClientPacing: SingletonTask = {
  name: 'clients.pacing',
  everyMs: 500,
  work: [{ name: 'client_pacing', dueSince: 'select min(due_at) from client_pacing_due' }],
  run: assessDueClients,
}

const maxFound = 200
/** All clients of a zone are due at its midnight: rest as long as each took. */
const maxRestMs = 100

// Spans all organizations; the second half is for sandboxes whose clock is ahead.
const dueSql = `
  select organization_id, client_id, revision from (
    (select organization_id, client_id, revision, due_at from client_pacing_due
      where due_at <= $1 order by due_at limit $2)
    union
    (select d.organization_id, d.client_id, d.revision, d.due_at from organizations o
      cross join lateral (select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join client_pacing_due d on d.organization_id = o.id
      where o.clock_ahead_ms > 0 and d.due_at <= t.now limit $2)
  ) as found
  order by due_at
  limit $2`

type DueRow = DueClient & { organization_id: string }

/** Assesses every client that is due, the longest overdue first. One that fails holds up no other. */
export async function assessDueClients(services: Services, signal: AbortSignal): Promise<void> {
  const faults: unknown[] = []
  for (let found = maxFound; found === maxFound && faults.length === 0 && !signal.aborted; ) {
    const parameters = [nowText(services), maxFound]
    const due = await services.database.reader.query<DueRow>({
      sql: dueSql,
      parameters,
      ofAll: true,
    })
    found = due.length
    for (const each of due) {
      if (signal.aborted) break
      const begun = performance.now()
      await assessOne(services, each).catch((fault: unknown) => faults.push(fault))
      await rest(Math.min(performance.now() - begun, maxRestMs))
    }
  }
  if (faults.length > 0) throw faults[0]
}

async function assessOne(services: Services, { organization_id, ...due }: DueRow): Promise<void> {
  const ctx = await actAsSystem(services, organization_id, 'Flightdeck')
  if (ctx) await assessClient(ctx, due)
}
