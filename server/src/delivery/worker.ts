import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { singleFlight } from '../concurrency/single-flight.ts'
import { releaseJobs, touchJobs } from '../jobs/heartbeat.ts'
import type { Origin, Signal } from '../signals/signals.ts'
import type { DeliveryDeps } from './deps.ts'
import { type EndpointKey, findDue } from './due.ts'
import { type EndpointWorker, startEndpointWorker } from './endpoint-worker.ts'

/** The webhook delivery of this process. */
export type Delivery = {
  /** Finds deliveries that became due. Also runs every second. */
  sweep(): Promise<void>
  /** Releases its endpoints; attempts in flight get 5 s to end. */
  stop(): Promise<void>
}

/**
 * A held job of this queue is the lease of an endpoint. Each has at most one waiting and one held
 * across all replicas; a process without heartbeat loses its leases.
 */
const queue = 'webhook-lanes'
const heartbeatSeconds = 10
const heartbeatMs = 3_000
const sweepMs = 1_000
/** Every fifth sweep is a full one, for what a killed process left or a sweep missed. */
const sweepsPerFullSweep = 5
const maxEndpoints = 500
/** Workers of hanging endpoints end together, so their leases are released in batches. */
const batchIntervalMs = 10
const graceMs = 5_000

export async function startDelivery(boss: PgBoss, kit: DeliveryDeps): Promise<Delivery> {
  await boss.createQueue(queue, queueOptions)
  const state: State = {
    boss,
    kit,
    workers: new Map(),
    toClaim: new Map(),
    claimedForPeers: new Set(),
    ended: [],
    isStopping: false,
  }
  const sweeps = sweeper(state)
  const unsubscribe = kit.services.signals.subscribe(
    (signal, origin) => onSignal(state, signal, origin),
    () => void guard(kit, sweeps.sweepAll()),
  )
  const sweeping = setInterval(() => void guard(kit, sweeps.sweep()), sweepMs)
  const beating = setInterval(() => void guard(kit, heartbeat(state)), heartbeatMs)
  void guard(kit, sweeps.sweep())
  return {
    sweep: sweeps.sweep,
    stop: async () => {
      state.isStopping = true
      unsubscribe()
      clearInterval(sweeping)
      await releaseAll(state)
      clearInterval(beating)
    },
  }
}

const queueOptions = {
  policy: 'short' as const,
  heartbeatSeconds,
  // The sweep finds what a lost lease leaves.
  retryLimit: 0,
  expireInSeconds: 24 * 60 * 60 - 1,
  deleteAfterSeconds: 60 * 60,
}

type Held = { jobId: string; worker: EndpointWorker }

type State = {
  boss: PgBoss
  kit: DeliveryDeps
  workers: Map<string, Held>
  /** Endpoints to claim together at the end of this turn of the event loop. */
  toClaim: Map<string, EndpointKey>
  /** Endpoints claimed since the last sweep on a signal from another process. */
  claimedForPeers: Set<string>
  /** Jobs of ended workers, to be released together. */
  ended: string[]
  isStopping: boolean
}

async function guard(kit: DeliveryDeps, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (err) {
    kit.logger.warn({ err }, 'webhook delivery error; trying again')
  }
}

const nameOf = ({ organizationId, endpointId }: EndpointKey) => `${organizationId}/${endpointId}`

function onSignal(state: State, { organizationId, endpointIds }: Signal, origin: Origin): void {
  for (const endpointId of endpointIds) {
    const key = { organizationId, endpointId }
    if (origin === 'here' || shouldClaim(state, nameOf(key))) wakeOrClaim(state, key)
  }
}

/** At most once per sweep: the process that holds the endpoint gets the same signal. */
function shouldClaim({ workers, claimedForPeers }: State, name: string): boolean {
  if (workers.has(name)) return true
  if (claimedForPeers.has(name)) return false
  claimedForPeers.add(name)
  return true
}

/** Wakes the endpoint's worker, or claims the endpoint. */
function wakeOrClaim(state: State, key: EndpointKey): void {
  const name = nameOf(key)
  const held = state.workers.get(name)
  held?.worker.wake()
  if (held || state.isStopping) return
  if (state.toClaim.size === 0) setImmediate(() => void guard(state.kit, claim(state)))
  state.toClaim.set(name, key)
}

async function claim(state: State): Promise<void> {
  const claims = [...state.toClaim]
  state.toClaim.clear()
  const jobs = claims.map(([name, key]) => ({ data: key, singletonKey: name, group: { id: name } }))
  await state.boss.insert(queue, jobs)
  await take(state)
}

/** Starts workers for the claimed endpoints that no process holds. */
async function take(state: State): Promise<void> {
  for (let more = true; more && !state.isStopping; ) {
    const batchSize = Math.min(maxEndpoints - state.workers.size, 100)
    if (batchSize <= 0) return
    const jobs = await state.boss.fetch<EndpointKey>(queue, { batchSize, groupConcurrency: 1 })
    for (const { id, data } of jobs) hold(state, id, data)
    more = jobs.length === batchSize
  }
}

function hold(state: State, jobId: string, key: EndpointKey): void {
  const name = nameOf(key)
  const remind = (afterMs: number) => setTimeout(() => wakeOrClaim(state, key), afterMs).unref()
  const worker = startEndpointWorker(state.kit, key, remind)
  state.workers.set(name, { jobId, worker })
  const ended = worker.ended.catch((err) =>
    state.kit.logger.warn({ err, ...key }, 'the worker of a webhook endpoint failed'),
  )
  void ended.then(() => release(state, name, jobId))
}

function release(state: State, name: string, jobId: string): void {
  // The lease may have been lost and re-acquired meanwhile.
  if (state.workers.get(name)?.jobId === jobId) state.workers.delete(name)
  if (state.ended.length === 0)
    setTimeout(() => void guard(state.kit, releaseEnded(state)), batchIntervalMs)
  state.ended.push(jobId)
}

async function releaseEnded(state: State): Promise<void> {
  const jobIds = state.ended.splice(0)
  if (jobIds.length === 0) return
  await releaseJobs({ boss: state.boss, queue, isOver: () => state.isStopping }, jobIds)
  // One of them may have been claimed again meanwhile.
  await take(state)
}

/** Stops workers whose lease expired, as another process may have it by now. */
async function heartbeat({ boss, workers }: State): Promise<void> {
  const held = [...workers.values()]
  if (held.length === 0) return
  const jobIds = held.map(({ jobId }) => jobId)
  const own = await touchJobs(boss, queue, jobIds)
  for (const { jobId, worker } of held) if (!own.has(jobId)) worker.stop()
}

/** Finds due deliveries without a signal: retries, ends of pauses, other processes' work. */
function sweeper(state: State) {
  const { services } = state.kit
  let count = 0
  let since = ''

  const sweep = singleFlight(async (): Promise<void> => {
    state.claimedForPeers.clear()
    const now = services.clock.now().toISOString()
    const isFull = count % sweepsPerFullSweep === 0
    const found = await findDue(services.database.reader, now, isFull ? null : since)
    count += 1
    since = now
    for (const key of found) wakeOrClaim(state, key)
    await take(state)
  })

  return {
    sweep,
    /** Runs a new full sweep, after one in progress. */
    async sweepAll(): Promise<void> {
      await sweep.idle()
      count = 0
      return sweep()
    },
  }
}

async function releaseAll(state: State): Promise<void> {
  const { boss, kit, workers } = state
  const held = [...workers.values()]
  for (const { worker } of held) worker.stop()
  const ended = Promise.allSettled(held.map(({ worker }) => worker.ended))
  const inTime = new AbortController()
  const late = sleep(graceMs, undefined, { signal: inTime.signal }).catch(() => {})
  await Promise.race([ended, late])
  inTime.abort()
  kit.sender.close()
  await ended
  const ids = [...held.map(({ jobId }) => jobId), ...state.ended.splice(0)]
  if (ids.length > 0) await boss.deleteJob(queue, ids).catch(() => {})
}
