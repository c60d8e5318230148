import type { Database } from './database.ts'

/** `$1` is the task. */
export const successSql = `
  insert into task_successes (task, succeeded_at) values ($1, now())
  on conflict (task) do update set succeeded_at = excluded.succeeded_at`

/** Records that a task has succeeded now, for the alert on one that has not for long. */
export const recordSuccess = (database: Database, task: string): Promise<void> =>
  database.transaction(async (tx) => tx.send({ sql: successSql, parameters: [task] }))
