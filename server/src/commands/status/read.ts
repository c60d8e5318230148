import type { Reader } from '../../database/database.ts'
import { readMigrations } from '../../database/upkeep/migrate.ts'
import { dueWorks } from '../../features/work.ts'
import { measureConditions } from '../../observability/conditions.ts'
import { measureWork } from '../../observability/due-work.ts'
import { measureQueues } from '../../observability/queue-depths.ts'
import { liveProcesses } from '../../process/registry.ts'
import { systemClock } from '../../values/clock.ts'
import { CommandError } from '../command.ts'

export type ServiceStatus = Awaited<ReturnType<typeof readStatus>>

const namesSql = 'select name from migrations order by name'

/** Reads the first facts that an operator needs. Changes nothing, the schema included. */
export async function readStatus(reader: Reader) {
  const schema = await schemaOf(reader)
  const [processes, works, queues, conditions, backup] = await Promise.all([
    liveProcesses({ reader }),
    measureWork(reader, { works: dueWorks, clock: systemClock }),
    measureQueues(reader, systemClock.now()),
    measureConditions(reader),
    backupOf(reader),
  ])
  return {
    processes: processes.map(({ role, url, host, pid, version, revision, started_at }) => ({
      ...{ role, url, host, pid, version, revision, started_at },
    })),
    schema,
    work: works.map(({ work, lateSeconds, succeededAt }) => ({
      work,
      late_seconds: Math.round(lateSeconds),
      last_success_at: new Date(succeededAt * 1000).toISOString(),
    })),
    queue: {
      deliveries_pending: queues.deliveriesPending,
      oldest_delivery_seconds: Math.round(queues.oldestPendingSeconds),
      jobs_pending: queues.jobsPending.reduce((sum, { count }) => sum + count, 0),
    },
    backup,
    audit_chains_broken: conditions.chainsBroken,
  }
}

async function schemaOf(reader: Reader) {
  const applied = await reader.query<{ name: string }>({ sql: namesSql, parameters: [] })
  const names = applied.map(({ name }) => name)
  const known = (await readMigrations()).map(({ name }) => name)
  const missing = known.filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw new CommandError(
      `The database lacks ${missing.join(', ')}: run "flightdeck migrate", or start the service.`,
    )
  const unknown = names.filter((name) => !known.includes(name))
  return { latest: names.at(-1) ?? null, unknown }
}

type Success = { task: string; at: string }

const backupSql = `
  select task, succeeded_at as at from task_successes where task = any($1::text[])`

/** Null for what never was. */
async function backupOf(reader: Reader) {
  const tasks = ['backup.create', 'backup.verify', 'backup.verified']
  const rows = await reader.query<Success>({ sql: backupSql, parameters: [tasks] })
  const [created, verified, newest] = tasks.map(
    (task) => rows.find((each) => each.task === task)?.at ?? null,
  )
  return {
    created_at: created ?? null,
    last_verification_at: verified ?? null,
    newest_verified_created_at: newest ?? null,
  }
}
