import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { releaseJobs, touchJobs } from '../jobs/heartbeat.ts'
import type { Origin, Signal } from '../signals/signals.ts'
import type { DeliveryDeps } from './deps.ts'
import { type EndpointKey, findDue } from './due.ts'
import { type EndpointWorker, startEndpointWorker } from './endpoint-worker.ts'

/** Carries deliveries out in this process. */
export type Delivery = {
  /** Looks for what has become due. It does so by itself every second. */
  sweep(): Promise<void>
  /** Hands its lanes back; attempts under way get a few seconds to end. */
  stop(): Promise<void>
}

/**
 * Holding a job of this queue is holding the lane of an endpoint. There is at most one waiting and
 * one held for each, on all replicas together; whoever gives no sign of life loses its lanes.
 */
const queue = 'webhook-lanes'
const heartbeatSeconds = 10
const beatMs = 3_000
const sweepMs = 1_000
/** Everything is looked through so often: what a killed process left, and what a sweep missed. */
const sweepsPerFullSweep = 5
const maxEndpoints = 500
/** Lanes of endpoints that hang end together, and each question to the queue takes its time. */
const batchIntervalMs = 10
const graceMs = 5_000

export async function startDelivery(boss: PgBoss, kit: DeliveryDeps): Promise<Delivery> {
  await boss.createQueue(queue, queueOptions)
  const state: State = {
    boss,
    kit,
    lanes: new Map(),
    wanted: new Map(),
    askedFor: new Set(),
    ended: [],
    isStopping: false,
  }
  const round = rounds(state)
  const stopListening = kit.services.signals.subscribe(
    (signal, origin) => hear(state, signal, origin),
    () => void guard(kit, round.sweepAll()),
  )
  const sweeping = setInterval(() => void guard(kit, round.sweep()), sweepMs)
  const beating = setInterval(() => void guard(kit, heartbeat(state)), beatMs)
  void guard(kit, round.sweep())
  return {
    sweep: round.sweep,
    stop: async () => {
      state.isStopping = true
      stopListening()
      clearInterval(sweeping)
      await handBack(state)
      clearInterval(beating)
    },
  }
}

const queueOptions = {
  policy: 'short' as const,
  heartbeatSeconds,
  // The sweep begins anew what is lost.
  retryLimit: 0,
  expireInSeconds: 24 * 60 * 60 - 1,
  deleteAfterSeconds: 60 * 60,
}

type Held = { jobId: string; lane: EndpointWorker }

type State = {
  boss: PgBoss
  kit: DeliveryDeps
  lanes: Map<string, Held>
  /** Endpoints whose lane is to be asked for, all at once at the end of this turn. */
  wanted: Map<string, EndpointKey>
  /** Lanes asked for since the last sweep because another process told of work for them. */
  askedFor: Set<string>
  /** Jobs of lanes that have ended, to be let go of together. */
  ended: string[]
  isStopping: boolean
}

async function guard(kit: DeliveryDeps, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (err) {
    kit.logger.warn({ err }, 'a fault in the delivery of webhooks; trying again')
  }
}

const nameOf = ({ organizationId, endpointId }: EndpointKey) => `${organizationId}/${endpointId}`

function hear(state: State, { organizationId, endpointIds }: Signal, origin: Origin): void {
  for (const endpointId of endpointIds) {
    const key = { organizationId, endpointId }
    if (origin === 'here' || shouldClaim(state, nameOf(key))) want(state, key)
  }
}

/** Not over and over: whoever holds the lane hears the same. */
function shouldClaim({ lanes, askedFor }: State, name: string): boolean {
  if (lanes.has(name)) return true
  if (askedFor.has(name)) return false
  askedFor.add(name)
  return true
}

/** Wakes the endpoint's lane, or asks for it. */
function want(state: State, key: EndpointKey): void {
  const name = nameOf(key)
  const held = state.lanes.get(name)
  held?.lane.wake()
  if (held || state.isStopping) return
  if (state.wanted.size === 0) setImmediate(() => void guard(state.kit, claim(state)))
  state.wanted.set(name, key)
}

async function claim(state: State): Promise<void> {
  const wanted = [...state.wanted]
  state.wanted.clear()
  const jobs = wanted.map(([name, key]) => ({ data: key, singletonKey: name, group: { id: name } }))
  await state.boss.insert(queue, jobs)
  await take(state)
}

/** Takes the lanes that nobody holds. */
async function take(state: State): Promise<void> {
  for (let more = true; more && !state.isStopping; ) {
    const batchSize = Math.min(maxEndpoints - state.lanes.size, 100)
    if (batchSize <= 0) return
    const jobs = await state.boss.fetch<EndpointKey>(queue, { batchSize, groupConcurrency: 1 })
    for (const { id, data } of jobs) hold(state, id, data)
    more = jobs.length === batchSize
  }
}

function hold(state: State, jobId: string, key: EndpointKey): void {
  const name = nameOf(key)
  const remind = (afterMs: number) => setTimeout(() => want(state, key), afterMs).unref()
  const lane = startEndpointWorker(state.kit, key, remind)
  state.lanes.set(name, { jobId, lane })
  const ended = lane.ended.catch((err) =>
    state.kit.logger.warn({ err, ...key }, 'the lane of a webhook endpoint broke off'),
  )
  void ended.then(() => release(state, name, jobId))
}

function release(state: State, name: string, jobId: string): void {
  // Held anew already, where it was lost and won back while it ended.
  if (state.lanes.get(name)?.jobId === jobId) state.lanes.delete(name)
  if (state.ended.length === 0)
    setTimeout(() => void guard(state.kit, releaseEnded(state)), batchIntervalMs)
  state.ended.push(jobId)
}

async function releaseEnded(state: State): Promise<void> {
  const jobIds = state.ended.splice(0)
  if (jobIds.length === 0) return
  await releaseJobs({ boss: state.boss, queue, isOver: () => state.isStopping }, jobIds)
  // Somebody may have asked for one of them meanwhile.
  await take(state)
}

/** A lane that was lost, as this process was taken for dead, is another's by now. */
async function heartbeat({ boss, lanes }: State): Promise<void> {
  const held = [...lanes.values()]
  if (held.length === 0) return
  const jobIds = held.map(({ jobId }) => jobId)
  const own = await touchJobs(boss, queue, jobIds)
  for (const { jobId, lane } of held) if (!own.has(jobId)) lane.stop()
}

/** Finds due deliveries of which no signal told: retries, ends of pauses, other processes' work. */
function rounds(state: State) {
  const { services } = state.kit
  let count = 0
  let since = ''
  let running: Promise<void> | undefined

  async function once(): Promise<void> {
    state.askedFor.clear()
    const now = services.clock.now().toISOString()
    const isFull = count % sweepsPerFullSweep === 0
    const found = await findDue(services.database.reader, now, isFull ? null : since)
    count += 1
    since = now
    for (const key of found) want(state, key)
    await take(state)
  }

  function sweep(): Promise<void> {
    running ??= once().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    sweep,
    /** A full one, and of what is due from now on: not one that is under way. */
    async sweepAll(): Promise<void> {
      await running?.catch(() => {})
      count = 0
      return sweep()
    },
  }
}

async function handBack(state: State): Promise<void> {
  const { boss, kit, lanes } = state
  const held = [...lanes.values()]
  for (const { lane } of held) lane.stop()
  const ended = Promise.allSettled(held.map(({ lane }) => lane.ended))
  const inTime = new AbortController()
  const late = sleep(graceMs, undefined, { signal: inTime.signal }).catch(() => {})
  await Promise.race([ended, late])
  inTime.abort()
  kit.sender.close()
  await ended
  const ids = [...held.map(({ jobId }) => jobId), ...state.ended.splice(0)]
  if (ids.length > 0) await boss.deleteJob(queue, ids).catch(() => {})
}
