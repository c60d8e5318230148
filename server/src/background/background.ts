import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { DatabaseAddress } from '../database/address.ts'
import type { Services } from '../kernel/context.ts'
import type { Job } from '../kernel/jobs.ts'
import type { Logger } from '../logger.ts'
import { jobs } from './jobs.ts'

export type Housekeeping = { stop(): Promise<void> }

type Household = { services: Services; address: DatabaseAddress; logger: Logger }

const schema = 'pgboss'
const connections = 2
const retryAfterMs = 5_000
/** Jobs are hourly and daily: there is no hurry to find one. */
const pollSeconds = 30
const mostSeconds = 3_600
/** A job whose process was killed is taken over by another after so long without a sign of life. */
const heartbeatSeconds = 30

/**
 * Runs the scheduled jobs from a queue in the service's own database, each on one replica at a
 * time. Returns at once: making the queue's tables must not delay the first request.
 */
export function startHousekeeping(household: Household): Housekeeping {
  const stopping = new AbortController()
  const starting = startSooner(household, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      const boss = await starting
      household.services.readiness.setQueue('off')
      // A job that still runs is handed back and begun again: each is made of repeatable steps.
      await boss?.stop({ graceful: false })
    },
  }
}

/** Until it succeeds: the service works without its housekeeping, only not for weeks. */
async function startSooner(household: Household, signal: AbortSignal): Promise<PgBoss | undefined> {
  const { services, logger } = household
  services.readiness.setQueue('starting')
  while (!signal.aborted) {
    try {
      const boss = await startOnce(household, signal)
      services.readiness.setQueue('running')
      return boss
    } catch (err) {
      services.readiness.setQueue('failed')
      logger.error({ err }, 'the housekeeping cannot start; trying again')
      await sleep(retryAfterMs, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}

async function startOnce(household: Household, signal: AbortSignal): Promise<PgBoss> {
  const { address, logger } = household
  const application_name = 'flightdeck housekeeping'
  const boss = new PgBoss({ ...address, schema, application_name, max: connections })
  boss.on('error', (err) => logger.warn({ err }, 'a fault in the queue'))
  boss.on('warning', ({ message }) => logger.warn({ detail: message }, 'the queue warns'))
  try {
    await boss.start()
    for (const job of jobs) await schedule(boss, job, { ...household, signal })
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

type Running = Household & { signal: AbortSignal }

async function schedule(boss: PgBoss, job: Job, { services, logger, signal }: Running) {
  const queue = { policy: 'exclusive', expireInSeconds: mostSeconds, heartbeatSeconds }
  await boss.createQueue(job.name, queue)
  // A service that is switched off over night does in the morning what it has missed.
  await boss.schedule(job.name, job.cron, null, { tz: 'UTC', missed: 'once' })
  const polling = { pollingIntervalSeconds: pollSeconds }
  await boss.work(job.name, polling, async ([started]) => {
    if (!started) return
    const done = await job.run(services, AbortSignal.any([started.signal, signal]))
    logger.info({ job: job.name, ...done }, 'housekeeping')
  })
}
