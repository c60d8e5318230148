import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Services } from '../kernel/context.ts'
import type { Logger } from '../observability/logger.ts'
import { letGo, stillHeld } from './heartbeat.ts'
import type { Duty } from './job.ts'

/** Holding the one job of a duty's queue is having the duty: no other process has it meanwhile. */
const heartbeatSeconds = 10
const beatMs = 3_000
const askMs = 1_000

type Keeping = { boss: PgBoss; services: Services; logger: Logger; signal: AbortSignal }

/** Does the duty whenever this process has it, until the signal; then hands it back. */
export async function keepDuty(duty: Duty, keeping: Keeping): Promise<void> {
  const { boss, logger, signal } = keeping
  let isReady = false
  while (!signal.aborted) {
    try {
      if (!isReady) await boss.createQueue(duty.name, queueOptions)
      isReady = true
      const jobId = await askFor(duty, boss)
      if (jobId) await serve(duty, jobId, keeping)
    } catch (err) {
      logger.warn({ err, duty: duty.name }, 'a duty was broken off; trying again')
    }
    await pause(askMs, signal)
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

async function askFor({ name }: Duty, boss: PgBoss): Promise<string | undefined> {
  // Refused silently while there is one, waiting or held.
  await boss.send(name, null, { singletonKey: name })
  const [job] = await boss.fetch(name)
  return job?.id
}

async function serve(duty: Duty, jobId: string, { boss, services, signal }: Keeping) {
  let beaten = performance.now()
  try {
    while (!signal.aborted) {
      if (performance.now() - beaten > beatMs) {
        // Taken for dead, and so perhaps done by another by now.
        if (!(await stillHeld(boss, duty.name, [jobId])).has(jobId)) return
        beaten = performance.now()
      }
      await duty.run(services, signal)
      await pause(duty.everyMs, signal)
    }
  } finally {
    await letGo({ boss, queue: duty.name, isOver: () => signal.aborted }, [jobId])
  }
}
