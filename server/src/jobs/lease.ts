import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Services } from '../kernel/context.ts'
import type { Logger } from '../observability/logger.ts'
import { releaseJobs, touchJobs } from './heartbeat.ts'
import type { SingletonTask } from './job.ts'

/** The lease of a task is the single job of its queue: one process holds it at a time. */
const heartbeatSeconds = 10
const heartbeatMs = 3_000
const retryMs = 1_000

type LeaseContext = { boss: PgBoss; services: Services; logger: Logger; signal: AbortSignal }

/** Runs the task while this process holds its lease, until the signal; then releases it. */
export async function runWhileLeader(task: SingletonTask, context: LeaseContext): Promise<void> {
  const { boss, logger, signal } = context
  let isReady = false
  while (!signal.aborted) {
    try {
      if (!isReady) await boss.createQueue(task.name, queueOptions)
      isReady = true
      const jobId = await acquire(task, boss)
      if (jobId) await runTask(task, jobId, context)
    } catch (err) {
      logger.warn({ err, task: task.name }, 'a background task failed; trying again')
    }
    await pause(retryMs, signal)
  }
}

const queueOptions = {
  policy: 'exclusive' as const,
  heartbeatSeconds,
  // A lost lease goes to the next process that asks.
  retryLimit: 0,
  expireInSeconds: 24 * 60 * 60 - 1,
  deleteAfterSeconds: 60 * 60,
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

async function acquire({ name }: SingletonTask, boss: PgBoss): Promise<string | undefined> {
  // Ignored by pg-boss while the job exists, waiting or held.
  await boss.send(name, null, { singletonKey: name })
  const [job] = await boss.fetch(name)
  return job?.id
}

async function runTask(
  task: SingletonTask,
  jobId: string,
  { boss, services, signal }: LeaseContext,
) {
  let heartbeatAt = performance.now()
  try {
    while (!signal.aborted) {
      if (performance.now() - heartbeatAt > heartbeatMs) {
        // Expired: another process may hold the lease by now.
        if (!(await touchJobs(boss, task.name, [jobId])).has(jobId)) return
        heartbeatAt = performance.now()
      }
      await task.run(services, signal)
      await pause(task.everyMs, signal)
    }
  } finally {
    await releaseJobs({ boss, queue: task.name, isOver: () => signal.aborted }, [jobId])
  }
}
