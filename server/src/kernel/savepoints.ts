import type { Judged, Transaction } from '../database/database.ts'
import type { Statement } from '../database/driver/protocol.ts'
import type { Query } from '../database/kysely.ts'
import { Problem } from '../problems/problem.ts'
import type { Context, WriteContext } from './context.ts'
import { markLedger } from './ledger.ts'
import { inTransaction, readerIn } from './transaction.ts'

type Work<T> = (ctx: WriteContext) => Promise<T>

/** Runs a part that may fail by itself: what it wrote, told and counted is gone when it throws. */
export type RunPart = <T>(ctx: WriteContext, work: Work<T>) => Promise<T>

/** What is read ahead of the parts, and answered from memory when they ask for it. */
export type Prefetch = {
  /** What no part changes. */
  lasting: Context
  /** What parts change: good for the first part that asks. */
  once: Context
}

type PartsPlan<T> = {
  /** Database constraints that a part may violate, as the problem of that part. */
  refusals: Readonly<Record<string, () => Problem>>
  readAhead(ahead: Prefetch): Promise<void>
  work(ctx: WriteContext, part: RunPart): Promise<T>
}

/**
 * A transaction of parts. It is tried with all of them in one batch; only where the database refuses
 * that is it done again part by part, each with a savepoint, to find whose fault it was.
 */
export async function withSavepoints<T>(ctx: Context, plan: PartsPlan<T>): Promise<T> {
  try {
    return await inTransaction(ctx, (ctx) => run(ctx, plan, 'at the commit'))
  } catch (error) {
    if (!isRefusal(error, plan) && !isBulkFailed(error)) throw error
    return inTransaction(ctx, (ctx) => run(ctx, plan, 'now'))
  }
}

const isRefusal = (error: unknown, { refusals }: Pick<PartsPlan<unknown>, 'refusals'>): boolean =>
  Object.hasOwn(refusals, violatedBy(error))

/** The database has not judged the parts yet: there may be more faults to tell of. */
const isBulkFailed = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'bulk_failed'

const violatedBy = (error: unknown): string => (error as { constraint?: string }).constraint ?? ''

async function run<T>(ctx: WriteContext, plan: PartsPlan<T>, judged: Judged): Promise<T> {
  const memory: Memory = { lasting: new Map(), once: new Map() }
  const ahead = { lasting: recording(ctx, memory.lasting), once: recording(ctx, memory.once) }
  // Both at once: a request that was answered before ends here.
  await Promise.all([ctx.ledger, plan.readAhead(ahead)])
  return plan.work(ctx, async (ctx, work) => {
    try {
      return await attempt(ctx, work, { memory, judged })
    } catch (error) {
      const refusal = judged === 'now' && plan.refusals[violatedBy(error)]
      throw refusal ? refusal() : error
    }
  })
}

type Rows = Promise<unknown[]>
type Memory = { readonly lasting: Map<string, Rows>; readonly once: Map<string, Rows> }

const keyOf = ({ sql, parameters }: Statement): string => sql + JSON.stringify(parameters)

/** Reads through the transaction, and remembers what came. */
function recording(ctx: WriteContext, memory: Map<string, Rows>): Context {
  const { kysely } = ctx.reader
  const query: Query = <Row>(statement: Statement) => {
    const rows = memory.get(keyOf(statement)) ?? ctx.reader.query(statement)
    memory.set(keyOf(statement), rows)
    return rows as Promise<Row[]>
  }
  return { ...ctx, reader: { kysely, query } }
}

type Conditions = { memory: Memory; judged: Judged }

async function attempt<T>(ctx: WriteContext, work: Work<T>, { memory, judged }: Conditions) {
  const takeBack = markLedger(await ctx.ledger)
  const added = { ...ctx.added }
  try {
    const part = (tx: Transaction) => work(withinPart(ctx, { tx, added, memory }))
    const result = await ctx.tx.attempt(part, judged)
    Object.assign(ctx.added, added)
    return result
  } catch (error) {
    takeBack()
    throw error
  }
}

type Inside = Pick<WriteContext, 'tx' | 'added'> & { memory: Memory }

function withinPart(ctx: WriteContext, { tx, added, memory }: Inside): WriteContext {
  return {
    ...ctx,
    reader: readerIn(tx, remembering(tx.query, memory)),
    tx,
    added,
  }
}

const remembering =
  (query: Query, { lasting, once }: Memory): Query =>
  <Row>(statement: Statement) => {
    const key = keyOf(statement)
    const known = lasting.get(key) ?? once.get(key)
    once.delete(key)
    return (known as Promise<Row[]> | undefined) ?? query<Row>(statement)
  }
