import { lazy } from '../concurrency/lazy.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import type { Reader } from '../database/database.ts'
import { readMigrations } from '../database/migrate.ts'

/** `off`: this process has no queue (a command, a test). */
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
 * Whether this process should get requests. main.ts drains it, background/ sets the queue's state;
 * /readyz and the page at the origin show it.
 */
export type Readiness = {
  readonly draining: boolean
  /** Aborted when draining begins. */
  readonly stopping: AbortSignal
  /** From now on the process only finishes work in progress. */
  drain(): void
  setQueue(state: QueueState): void
  report(): Promise<ReadinessReport>
}

const cacheMs = 500

export function readinessOf(
  reader: Reader,
  limits: () => Promise<LimitsState> = async () => 'ok',
): Readiness {
  const stop = new AbortController()
  let queue: QueueState = 'off'
  const hasMigrations = migrationCheck(reader)
  const check = singleFlight(() => Promise.all([databaseChecks(hasMigrations), limits()]), {
    keepMs: cacheMs,
  })

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
      const [stores, limitsState] = await check()
      const checks = { ...stores, queue, limits: limitsState }
      const isQueueFine = queue === 'off' || queue === 'running'
      const isStoreFine = checks.database === 'ok' && checks.migrations === 'ok'
      const draining = stop.signal.aborted
      return { ready: isStoreFine && isQueueFine && !draining, draining, checks }
    },
  }
}

const timeoutMs = 2_000

/** A database that hangs counts as failed, as a probe needs an answer soon. */
async function databaseChecks(
  hasMigrations: () => Promise<boolean>,
): Promise<{ database: Checked; migrations: Checked }> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), timeoutMs)
  try {
    const hasAll = await Promise.race([hasMigrations(), late])
    return { database: 'ok', migrations: hasAll ? 'ok' : 'failed' }
  } catch {
    return { database: 'failed', migrations: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the database has every migration this process knows. More are from a newer version. */
function migrationCheck(reader: Reader): () => Promise<boolean> {
  const known = lazy(async () => (await readMigrations()).map(({ name }) => name))
  return async () => {
    const rows = await reader.query<{ name: string }>({
      sql: 'select name from migrations',
      parameters: [],
    })
    const applied = new Set(rows.map(({ name }) => name))
    return (await known()).every((name) => applied.has(name))
  }
}
