import type { Reader } from '../database/database.ts'
import { readMigrations } from '../database/migrate.ts'

/** `off`: this process has no such part (a command, a test). */
export type QueueState = 'off' | 'starting' | 'running' | 'failed'

export type Checked = 'ok' | 'failed'

/** Where requests are counted: `fallback` is PostgreSQL while Redis is away. */
export type LimitsState = 'ok' | 'fallback'

export type ReadinessReport = {
  /** False: send no more requests here. */
  ready: boolean
  draining: boolean
  checks: { database: Checked; migrations: Checked; queue: QueueState; limits: LimitsState }
}

/**
 * Whether this process should get requests. main.ts and http/live.ts drain it, background/ tells it of
 * the queue; /readyz and the page at the origin show it.
 */
export type Readiness = {
  readonly draining: boolean
  /** Aborted when the draining begins. */
  readonly stopping: AbortSignal
  /** From now on the process only finishes what it has begun. */
  drain(): void
  setQueue(state: QueueState): void
  report(): Promise<ReadinessReport>
}

export function readinessOf(
  reader: Reader,
  limits: () => Promise<LimitsState> = async () => 'ok',
): Readiness {
  const stop = new AbortController()
  let queue: QueueState = 'off'
  const hasMigrations = migrationCheck(reader)
  const look = shared(() => Promise.all([databaseChecks(hasMigrations), limits()]))

  return {
    get draining() {
      return stop.signal.aborted
    },
    stopping: stop.signal,
    drain: () => stop.abort(),
    setQueue: (state) => {
      queue = state
    },
    report: async () => {
      const [stores, limitsState] = await look()
      const checks = { ...stores, queue, limits: limitsState }
      const isQueueFine = queue === 'off' || queue === 'running'
      const isStoreFine = checks.database === 'ok' && checks.migrations === 'ok'
      const draining = stop.signal.aborted
      return { ready: isStoreFine && isQueueFine && !draining, draining, checks }
    },
  }
}

const keptMs = 500

/** Asked by however many, it looks once at a time, and keeps for a moment what it saw. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  let keptUntil = Number.NEGATIVE_INFINITY
  return () => {
    if (known && performance.now() < keptUntil) return known
    keptUntil = Number.POSITIVE_INFINITY
    known = look().finally(() => {
      keptUntil = performance.now() + keptMs
    })
    return known
  }
}

const answersWithinMs = 2_000

/** A database that hangs is one that failed: whoever asks wants an answer soon. */
async function databaseChecks(
  hasMigrations: () => Promise<boolean>,
): Promise<{ database: Checked; migrations: Checked }> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), answersWithinMs)
  try {
    const hasAll = await Promise.race([hasMigrations(), late])
    return { database: 'ok', migrations: hasAll ? 'ok' : 'failed' }
  } catch {
    return { database: 'failed', migrations: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the database has every migration that this process knows; more are another's, newer. */
function migrationCheck(reader: Reader): () => Promise<boolean> {
  let known: Promise<string[]> | undefined
  return async () => {
    known ??= readMigrations().then((all) => all.map(({ name }) => name))
    const rows = await reader.query<{ name: string }>({
      sql: 'select name from migrations',
      parameters: [],
    })
    const applied = new Set(rows.map(({ name }) => name))
    return (await known).every((name) => applied.has(name))
  }
}
