import type { Database } from '../database.ts'

/** `$1` are the tasks. */
export const successesSql = `
  insert into task_successes (task, succeeded_at)
  select done.task, now() from unnest($1::text[]) as done (task) order by done.task collate "C"
  on conflict (task) do update set succeeded_at = excluded.succeeded_at`

/** Records that tasks have succeeded now, for alerts on those that have not for long. */
export const recordSuccesses = (database: Database, tasks: readonly string[]): Promise<void> =>
  database.transaction(async (tx) => tx.send({ sql: successesSql, parameters: [tasks] }))

/** When the newest backup that was verified was made, which its age is counted from. */
const newestSql = `
  insert into task_successes (task, succeeded_at) values ('backup.verified', $1)
  on conflict (task) do update
    set succeeded_at = greatest(task_successes.succeeded_at, excluded.succeeded_at)`

export const recordVerifiedBackup = (database: Database, createdAt: string): Promise<void> =>
  database.transaction(async (tx) => {
    tx.send({ sql: successesSql, parameters: [['backup.verify']] })
    tx.send({ sql: newestSql, parameters: [createdAt] })
  })
