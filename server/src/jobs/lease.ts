import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Services } from '../kernel/context.ts'
import type { Logger } from '../observability/logger.ts'
import { releaseJobs, touchJobs } from './heartbeat.ts'
import type { SingletonTask } from './job.ts'

/** Holding the one job of a duty's queue is having the duty: no other process has it meanwhile. */
const heartbeatSeconds = 10
const beatMs = 3_000
const retryMs = 1_000

type LeaseContext = { boss: PgBoss; services: Services; logger: Logger; signal: AbortSignal }

/** Does the duty whenever this process has it, until the signal; then hands it back. */
export async function runWhileLeader(duty: SingletonTask, keeping: LeaseContext): Promise<void> {
  const { boss, logger, signal } = keeping
  let isReady = false
  while (!signal.aborted) {
    try {
      if (!isReady) await boss.createQueue(duty.name, queueOptions)
      isReady = true
      const jobId = await acquire(duty, boss)
      if (jobId) await runTask(duty, jobId, keeping)
    } catch (err) {
      logger.warn({ err, duty: duty.name }, 'a duty was broken off; trying again')
    }
    await pause(retryMs, signal)
  }
}

const queueOptions = {
  policy: 'exclusive' as const,
  heartbeatSeconds,
  // Whoever asks next has it.
  retryLimit: 0,
  expireInSeconds: 24 * 60 * 60 - 1,
  deleteAfterSeconds: 60 * 60,
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

async function acquire({ name }: SingletonTask, boss: PgBoss): Promise<string | undefined> {
  // Refused silently while there is one, waiting or held.
  await boss.send(name, null, { singletonKey: name })
  const [job] = await boss.fetch(name)
  return job?.id
}

async function runTask(
  duty: SingletonTask,
  jobId: string,
  { boss, services, signal }: LeaseContext,
) {
  let beaten = performance.now()
  try {
    while (!signal.aborted) {
      if (performance.now() - beaten > beatMs) {
        // Taken for dead, and so perhaps done by another by now.
        if (!(await touchJobs(boss, duty.name, [jobId])).has(jobId)) return
        beaten = performance.now()
      }
      await duty.run(services, signal)
      await pause(duty.everyMs, signal)
    }
  } finally {
    await releaseJobs({ boss, queue: duty.name, isOver: () => signal.aborted }, [jobId])
  }
}
