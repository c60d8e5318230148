import type { Reader } from '../database/database.ts'
import { isDatabaseDown, NoAnswer } from '../database/unavailable.ts'
import { errorMessage } from '../values/errors.ts'
import { secondsSince } from '../values/times.ts'
import { withTimeout } from './with-timeout.ts'

type Log = (facts: object, text: string) => void

type LogFacts = Readonly<Record<string, unknown>>

/**
 * Failures of the parts of this process: one line when they begin, one with their number when they
 * have ended. Otherwise an outage would fill the log with the same lines.
 */
export type FailureLog = {
  /** Logs to this logger from now on. */
  reportTo(logger: { error: Log; warn: Log; info: Log }): void
  /** Whether the failure belongs to an outage of the database, and is counted there. */
  isOutage(part: string, error: unknown, facts?: LogFacts): boolean
  /** A failure of work that is tried again and again: of an outage, or of this part alone. */
  note(part: string, error: unknown): void
  close(): void
}

type Failing = { sinceMs: number; lastMs: number; failures: Record<string, number> }

/** `line` is what remains to be logged about its beginning. */
type Outage = Failing & { line: LogFacts | null }

const checkEveryMs = 1_000
/** Parts without a failure for this long work again: each tries once in 5 s or more often. */
const quietMs = 12_000
/** With the database down, something fails every second. */
const databaseQuietMs = 1_500
/** So long after an outage, statements on its silent connections may still be given up. */
const aftermathMs = 20_000

type Logger = Parameters<FailureLog['reportTo']>[0]

/** The present logger, which may change. */
type Logs = { to: Logger }

export function openFailureLog(reader: Reader): FailureLog {
  const logs: Logs = { to: { error() {}, warn() {}, info() {} } }
  const database = databaseOutage(reader, logs)
  const parts = failingParts(logs)
  let checking: NodeJS.Timeout | undefined

  function isOutage(part: string, error: unknown, facts: LogFacts = {}): boolean {
    if (!isDatabaseDown(error)) return false
    const isCertain = !(error instanceof NoAnswer)
    database.note(part, { reason: errorMessage(error), ...facts }, isCertain)
    watch()
    return true
  }

  function watch(): void {
    checking ??= setInterval(() => void check(), checkEveryMs).unref()
  }

  async function check(): Promise<void> {
    await database.check()
    parts.check()
    if (database.isOut() || parts.areFailing()) return
    clearInterval(checking)
    checking = undefined
  }

  return {
    reportTo: (logger) => {
      logs.to = logger
    },
    isOutage,
    note(part, error) {
      if (isOutage(part, error)) return
      parts.note(part, error)
      watch()
    },
    close: () => clearInterval(checking),
  }
}

/** The failures for which the database is to blame. */
function databaseOutage(reader: Reader, logs: Logs) {
  let outage: Outage | null = null
  let endedAtMs = Number.NEGATIVE_INFINITY

  function logBeginning(begun: Outage): void {
    if (begun.line) logs.to.error(begun.line, downText)
    begun.line = null
  }

  /** The database has answered all the while, unless it was the aftermath of the last outage. */
  function logLate(known: Outage): void {
    if (known.sinceMs - endedAtMs <= aftermathMs) return
    logs.to.warn(summaryOf(known), lateText)
  }

  return {
    isOut: () => outage !== null,
    /**
     * Notes a failure. Work that is only late may have waited for something else, as the check
     * shows.
     */
    note(part: string, facts: LogFacts, isCertain: boolean): void {
      outage ??= { ...newFailing(), line: { part, ...facts } }
      count(outage, part)
      if (performance.now() - endedAtMs <= aftermathMs) return
      if (isCertain) logBeginning(outage)
    },
    async check(): Promise<void> {
      const known = outage
      if (!known) return
      if (!(await answers(reader))) return logBeginning(known)
      if (outage !== known || !isOver(known, databaseQuietMs)) return
      outage = null
      if (known.line) return logLate(known)
      endedAtMs = performance.now()
      logs.to.info(summaryOf(known), upText)
    },
  }
}

/** The failures of a part alone. */
function failingParts(logs: Logs) {
  const failing = new Map<string, Failing>()
  return {
    areFailing: () => failing.size > 0,
    note(part: string, error: unknown): void {
      const known = failing.get(part)
      if (!known) logs.to.warn({ part, err: error }, failingText)
      const its = known ?? newFailing()
      count(its, part)
      failing.set(part, its)
    },
    check(): void {
      for (const [part, its] of failing) {
        if (!isOver(its, quietMs)) continue
        failing.delete(part)
        logs.to.info({ part, ...summaryOf(its) }, workingText)
      }
    },
  }
}

const downText = 'the database is unavailable: failures are counted until it is back'
const lateText = 'work ended late, though the database answers: the service has too much to do'
const upText = 'the database is available again'
const failingText = 'background work fails, and is tried again'
const workingText = 'background work succeeds again'

function newFailing(): Failing {
  const now = performance.now()
  return { sinceMs: now, lastMs: now, failures: {} }
}

function count(its: Failing, part: string): void {
  its.lastMs = performance.now()
  its.failures[part] = (its.failures[part] ?? 0) + 1
}

const isOver = ({ lastMs }: Failing, afterMs: number) => performance.now() - lastMs > afterMs

const summaryOf = ({ sinceMs, lastMs, failures }: Failing) => ({
  seconds: secondsSince(sinceMs, lastMs),
  failures,
})

const answers = (reader: Reader): Promise<boolean> =>
  withTimeout(reader.query({ sql: 'select 1', parameters: [] })).then(
    () => true,
    () => false,
  )
