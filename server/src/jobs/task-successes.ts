import { recordSuccesses } from '../database/upkeep/task-successes.ts'
import type { Services } from '../kernel/context.ts'

/** Tasks poll twice a second: their successes are kept together, and seldom. */
const everyMs = 10_000

export type TaskSuccesses = { note(task: string): void; stop(): void }

/** Records that tasks that poll have found all done; every process shows them in its metrics. */
export function openTaskSuccesses({
  database,
  observability: { failures },
}: Services): TaskSuccesses {
  const noted = new Set<string>()
  const timer = setInterval(() => {
    const tasks = [...noted]
    noted.clear()
    if (tasks.length === 0) return
    recordSuccesses(database, tasks).catch((error: unknown) => failures.note('successes', error))
  }, everyMs).unref()
  return {
    note: (task) => void noted.add(task),
    stop: () => clearInterval(timer),
  }
}
