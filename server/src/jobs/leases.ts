import { randomUUID } from 'node:crypto'
import { batch } from '../concurrency/batch.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import type { Database } from '../database/database.ts'
import type { FailureLog } from '../observability/failure-log.ts'
import type { Logger } from '../observability/logger.ts'
import { type FoundLease, type LeaseState, type LeaseTable, leaseTable } from './lease-table.ts'

/** The right of one process to do some work. */
export type Lease = {
  /** Judged by the time, so that it is right even when timers are late. */
  isHeld(): boolean
  /** Aborts when the lease is lost: another process may have it soon. */
  readonly lost: AbortSignal
  release(): Promise<void>
  /** Releases it with work left: the name stays, expired, for other processes to find. */
  handOver(): Promise<void>
}

/** The leases of this process. All that it holds are renewed in one statement. */
export type Leases = {
  /** Undefined while another process has it, or another part of this one, or without a database. */
  acquire(name: string, pace?: Pace): Promise<Lease | undefined>
  /** Leases of any process whose names begin so, the longest expired first, at most 1,000. */
  find(prefix: string, state: LeaseState): Promise<FoundLease[]>
  /** Releases what is still held. */
  close(): Promise<void>
}

/** How soon the work of a killed process is taken over. */
export type Pace = 'steady' | 'swift'

type Terms = {
  /** This long after its last renewal, by the database's clock, a lease may be taken over. */
  leaseMs: number
  /** This long after it sent the last renewal that succeeded, the holder gives the lease up. */
  trustMs: number
  renewEveryMs: number
  checkEveryMs: number
  /**
   * The level of the line about lost leases. Swift ones are lost by any hiccup, and are back within
   * seconds.
   */
  lostLevel: 'warn' | 'debug'
}

/**
 * A swift lease is lost when the database or the event loop stands still for longer than a second: for
 * work of which each step is safe in two processes at once.
 */
const paces: Readonly<Record<Pace, Terms>> = {
  steady: {
    leaseMs: 8_000,
    trustMs: 6_000,
    renewEveryMs: 2_000,
    checkEveryMs: 500,
    lostLevel: 'warn',
  },
  swift: {
    leaseMs: 1_800,
    trustMs: 1_400,
    renewEveryMs: 450,
    checkEveryMs: 150,
    lostLevel: 'debug',
  },
}
const maxBatch = 500

type Held = { readonly name: string; trustedUntil: number; readonly lost: AbortController }

type LeasesState = {
  readonly terms: Terms
  readonly table: LeaseTable
  readonly logger: Logger
  readonly failures: Failures
  readonly held: Set<Held>
  /** Names of any pace that are held, lost but not released yet, or just being acquired. */
  readonly inUse: Set<string>
  renewedAt: number
}

type Failures = Pick<FailureLog, 'note'>
type LeaseDeps = {
  database: Pick<Database, 'leaseQuery' | 'reader'>
  observability: { failures: Failures }
}

export function openLeases({ database, observability }: LeaseDeps, logger: Logger): Leases {
  const shared = {
    table: leaseTable(database, randomUUID()),
    logger,
    failures: observability.failures,
    inUse: new Set<string>(),
  }
  const of = (pace: Pace) =>
    leasesOf({ ...shared, terms: paces[pace], held: new Set<Held>(), renewedAt: 0 })
  const all = { steady: of('steady'), swift: of('swift') }
  return {
    acquire: (name, pace = 'steady') => all[pace].acquire(name),
    find: shared.table.find,
    close: async () => {
      await Promise.all(Object.values(all).map((each) => each.close()))
    },
  }
}

/** Leases of one pace. */
function leasesOf(state: LeasesState): Omit<Leases, 'find'> {
  const { table, held, terms } = state
  const renew = singleFlight(() => renewAll(state))
  const acquire = batch((names: readonly string[]) => acquireAll(state, names), maxBatch)
  const release = inBatches(table.release)
  const handOver = inBatches((names) => table.renew(names, 0))
  let timer: NodeJS.Timeout | undefined

  function watch(): void {
    if (timer) return
    state.renewedAt = performance.now()
    timer = setInterval(check, terms.checkEveryMs).unref()
  }

  function check(): void {
    lose(state, [...held].filter(isLate))
    if (held.size > 0 && performance.now() - state.renewedAt >= terms.renewEveryMs) void renew()
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    acquire: async (name) => {
      const lease = await acquireOne(state, name, acquire)
      if (!lease) return undefined
      watch()
      return {
        isHeld: () => held.has(lease) && !isLate(lease),
        lost: lease.lost.signal,
        release: () => end(state, lease, release),
        handOver: () => end(state, lease, handOver),
      }
    },
    close: async () => {
      await Promise.all([...held].map((lease) => end(state, lease, release)))
    },
  }
}

const isLate = ({ trustedUntil }: Held) => performance.now() >= trustedUntil

const inBatches = (work: (names: readonly string[]) => Promise<unknown>) =>
  batch(async (names: readonly string[]) => {
    await work(names)
    return names
  }, maxBatch)

/** Until when to trust each lease; 0 for those not acquired. */
async function acquireAll(state: LeasesState, names: readonly string[]): Promise<number[]> {
  const { leaseMs, trustMs } = state.terms
  const trustedUntil = performance.now() + trustMs
  const acquired = await attempt(state, state.table.acquire(names, leaseMs))
  return names.map((name) => (acquired?.has(name) ? trustedUntil : 0))
}

type Acquire = (name: string) => Promise<number>

async function acquireOne({ held, inUse }: LeasesState, name: string, acquire: Acquire) {
  if (inUse.has(name)) return undefined
  inUse.add(name)
  const lease = { name, trustedUntil: await acquire(name), lost: new AbortController() }
  if (isLate(lease)) {
    inUse.delete(name)
    return undefined
  }
  held.add(lease)
  return lease
}

async function renewAll(state: LeasesState): Promise<void> {
  const { held, table, terms } = state
  const leases = [...held]
  state.renewedAt = performance.now()
  const trustedUntil = state.renewedAt + terms.trustMs
  const names = leases.map(({ name }) => name)
  const renewed = await attempt(state, table.renew(names, terms.leaseMs))
  if (!renewed) return
  for (const lease of leases) if (renewed.has(lease.name)) lease.trustedUntil = trustedUntil
  lose(
    state,
    leases.filter((lease) => held.has(lease) && !renewed.has(lease.name)),
  )
}

function lose({ held, logger, terms }: LeasesState, leases: readonly Held[]): void {
  if (leases.length === 0) return
  for (const lease of leases) {
    held.delete(lease)
    lease.lost.abort()
  }
  const names = leases.slice(0, 10).map(({ name }) => name)
  const text = 'leases lost: this process stops their work'
  logger[terms.lostLevel]({ count: leases.length, names }, text)
}

/** The name is free again in this process only now, so its work never runs twice here. */
async function end(
  { held, inUse }: LeasesState,
  lease: Held,
  work: (name: string) => Promise<unknown>,
) {
  held.delete(lease)
  // If this fails, the lease expires.
  await work(lease.name).catch(() => {})
  inUse.delete(lease.name)
}

/** Undefined if it failed. */
const attempt = <T>({ failures }: LeasesState, work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    failures.note('leases', error)
    return undefined
  })
