import type { DueWork } from '../observability/due-work.ts'
import type { Job, SingletonTask } from './job.ts'

/** The work of tasks and jobs that alerts watch. */
export const dueWorksOf = (
  tasks: readonly SingletonTask[],
  jobs: readonly Job[],
): readonly DueWork[] => [
  ...tasks.flatMap(({ name: task, work }) => work.map((each) => ({ ...each, task }))),
  ...jobs.flatMap(ofJob),
]

function ofJob({ name: task, work }: Job): DueWork[] {
  if (!work) return []
  const { name } = work
  return [{ name, task, dueSince: 'dueSince' in work ? work.dueSince : nextRun(task, work) }]
}

/** When a job was due again after its last success, or after the installation. */
const nextRun = (task: string, { everyHours }: { everyHours: number }): string => `
  select coalesce(max(succeeded_at), (select min(applied_at) from migrations))
    + interval '${everyHours} hours'
  from task_successes where task = '${task}'`
