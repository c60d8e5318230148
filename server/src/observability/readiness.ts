import { lazy } from '../concurrency/lazy.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import type { Reader } from '../database/database.ts'
import { readMigrations } from '../database/upkeep/migrate.ts'
import { withTimeout } from './with-timeout.ts'
import type { WriteHealth } from './write-health.ts'

/** `off`: this process has no queue (a command, a test). */
export type QueueState = 'off' | 'starting' | 'running' | 'failed'

export type Checked = 'ok' | 'failed'

/** The store that counts requests: `fallback` is PostgreSQL while Redis is away. */
export type LimitsState = 'ok' | 'fallback'

export type ReadinessReport = {
  /** False: send no more requests here. */
  ready: boolean
  draining: boolean
  checks: {
    database: Checked
    migrations: Checked
    queue: QueueState
    limits: LimitsState
    /** Failed while the database refuses all writes: reads still succeed, so the process stays ready. */
    writes: Checked
  }
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
  /** While it starts, the process may listen already, but is not ready. */
  setStarting(isStarting: boolean): void
  setQueue(state: QueueState): void
  report(): Promise<ReadinessReport>
}

const cacheMs = 500

type Checking = { hasMigrations(): Promise<boolean>; onFailure(error: unknown): void }

type ReadinessOptions = {
  limits?: () => Promise<LimitsState>
  writes?: Pick<WriteHealth, 'isFailing'>
  /** Called with the reason why the database failed a check. */
  onFailure?: (error: unknown) => void
}

export function readinessOf(
  reader: Reader,
  {
    limits = async () => 'ok',
    writes = { isFailing: () => false },
    onFailure = () => {},
  }: ReadinessOptions = {},
): Readiness {
  const stop = new AbortController()
  let queue: QueueState = 'off'
  let starting = false
  const hasMigrations = migrationCheck(reader)
  const checking = { hasMigrations, onFailure }
  const check = singleFlight(() => Promise.all([databaseChecks(checking), limits()]), {
    keepMs: cacheMs,
  })

  return {
    get draining() {
      return stop.signal.aborted
    },
    stopping: stop.signal,
    drain: () => stop.abort(),
    setStarting: (isStarting) => {
      starting = isStarting
    },
    setQueue: (state) => {
      queue = state
    },
    report: async () => {
      const [stores, limitsState] = await check()
      const ofWrites: Checked = writes.isFailing() ? 'failed' : 'ok'
      const checks = { ...stores, queue, limits: limitsState, writes: ofWrites }
      const isQueueFine = queue === 'off' || queue === 'running'
      const isStoreFine = checks.database === 'ok' && checks.migrations === 'ok'
      const draining = stop.signal.aborted
      const ready = isStoreFine && isQueueFine && !starting && !draining
      return { ready, draining, checks }
    },
  }
}

type DatabaseChecks = { database: Checked; migrations: Checked }

/** A probe needs an answer soon, even if the database hangs. */
async function databaseChecks({ hasMigrations, onFailure }: Checking): Promise<DatabaseChecks> {
  try {
    const hasAll = await withTimeout(hasMigrations())
    return { database: 'ok', migrations: hasAll ? 'ok' : 'failed' }
  } catch (error) {
    onFailure(error)
    return { database: 'failed', migrations: 'failed' }
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
