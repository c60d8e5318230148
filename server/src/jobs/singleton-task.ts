import { pause } from '../concurrency/wait.ts'
import type { Services } from '../kernel/context.ts'
import type { SingletonTask } from './job.ts'
import type { Lease, Leases } from './leases.ts'
import type { TaskSuccesses } from './task-successes.ts'

/**
 * The pause after which all tasks ask again, in the same turn, so that one statement asks for all
 * leases.
 */
const retryMs = 400

type TaskRun = {
  services: Services
  leases: Leases
  successes: Pick<TaskSuccesses, 'note'>
  signal: AbortSignal
}

/**
 * Runs the task while this process holds its lease, until the signal; then releases it. A process that
 * takes over from one that was only slow does no harm: each step is checked again in its transaction.
 */
export async function runWhileLeader(task: SingletonTask, running: TaskRun): Promise<void> {
  const { leases, services, signal } = running
  while (!signal.aborted) {
    try {
      const lease = await leases.acquire(task.name, 'swift')
      if (lease) await runUnder(lease, task, running)
    } catch (err) {
      services.observability.failures.note(task.name, err)
    }
    await pause(retryMs - (performance.now() % retryMs), signal)
  }
}

async function runUnder(lease: Lease, task: SingletonTask, running: TaskRun) {
  const { services, successes, signal } = running
  const ended = AbortSignal.any([signal, lease.lost])
  try {
    while (!ended.aborted && lease.isHeld()) {
      await task.run(services, ended)
      successes.note(task.name)
      await pause(task.everyMs, ended)
    }
  } finally {
    await lease.release()
  }
}
