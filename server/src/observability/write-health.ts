import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { errorCode } from '../values/errors.ts'
import { withTimeout } from './with-timeout.ts'

/** Whether the database takes writes: with a full disk, or read-only, it goes on answering reads. */
export type WriteHealth = {
  /** The last that is known; asks again in the background when that is old. */
  isFailing(): boolean
  /** How many writes were refused, because none could succeed, since the start. */
  readonly refused: number
  close(): void
}

/** Disk full, out of memory, an error of the disk, a read-only server or database. */
const refusals = /^(53100|53200|58030|25006)$/

const isWriteRefusal = (error: unknown): boolean => refusals.test(errorCode(error) ?? '')

/** An idle process asks this often, while its readiness is asked for. */
const probeEveryMs = 30_000
/** How often it asks while writes fail. */
const retryEveryMs = 1_000
/** This many in a row succeed before writes count as working: a disk that is nearly full takes some. */
const successesNeeded = 3

type Watched = Pick<Database, 'transaction' | 'sharedTransaction' | 'sharedTransactions'>

/** The database with its writes watched. A refused write has the probe decide, not the write alone. */
export function watchWrites(database: Database): { database: Database; writes: WriteHealth } {
  const state = { refused: 0 }
  const health = healthOf(() => probe(database))
  const watched = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (isWriteRefusal(error)) {
        state.refused += 1
        health.suspect()
      }
      throw error
    })
  const { transaction, sharedTransaction, sharedTransactions } = database
  const own: Watched = {
    transaction: (work) => watched(transaction(work)),
    sharedTransaction: (key, work) => watched(sharedTransaction(key, work)),
    sharedTransactions: (...given) => watched(sharedTransactions(...given)),
  }
  const writes: WriteHealth = {
    isFailing: health.isFailing,
    get refused() {
      return state.refused
    },
    close: health.close,
  }
  return { database: { ...database, ...own }, writes }
}

type WriteOutcome = 'succeeded' | 'refused' | 'unknown'

/** A row of random text, which is not compressed, and so needs a page of its own. */
async function probe(database: Database): Promise<WriteOutcome> {
  const sql = 'insert into write_probes (id, filler) values ($1, $2)'
  const parameters = [randomUUID(), randomBytes(6_000).toString('base64')]
  try {
    await withTimeout(database.dryRun(async (tx) => void (await tx.write({ sql, parameters }))))
    return 'succeeded'
  } catch (error) {
    return isWriteRefusal(error) ? 'refused' : 'unknown'
  }
}

/** Decides by the probe alone, and only after some successes that all is well again. */
export function healthOf(probe: () => Promise<WriteOutcome>) {
  let isFailing = false
  let successes = 0
  let probedAt = Number.NEGATIVE_INFINITY
  let isProbing = false
  let timer: NodeJS.Timeout | undefined

  async function ask(): Promise<void> {
    if (isProbing) return
    isProbing = true
    const outcome = await probe()
    isProbing = false
    probedAt = performance.now()
    successes = outcome === 'succeeded' ? successes + 1 : 0
    if (outcome === 'refused') isFailing = true
    if (successes >= successesNeeded) isFailing = false
    if (isFailing) timer ??= setInterval(() => void ask(), retryEveryMs).unref()
    else stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    isFailing: () => {
      if (performance.now() - probedAt >= probeEveryMs) void ask()
      return isFailing
    },
    suspect: () => void ask(),
    close: stop,
  }
}
