import type { ConstraintCheck, Transaction } from '../database/database.ts'
import { type Statement, typed } from '../database/driver/protocol.ts'
import { sqlErrorOf } from '../database/driver/sql-error.ts'
import { withReader } from '../database/scope/readers.ts'
import type { Query } from '../database/tables/kysely.ts'
import type { ProblemCode } from '../problems/codes.ts'
import { Problem } from '../problems/problem.ts'
import type { ChangeSetFacts, Context, WriteContext } from './context.ts'
import { markLedger } from './ledger.ts'
import { inTransaction, readerIn, recordRefusal } from './transaction.ts'

type SavepointWork<T> = (ctx: WriteContext) => Promise<T>

/** Runs a part that may fail alone: its writes, records, events and counts are undone if it throws. */
export type RunPart = <T>(ctx: WriteContext, work: SavepointWork<T>) => Promise<T>

/** Contexts whose reads are cached, and answered from memory to the parts. */
export type Prefetch = {
  /** For rows that no part changes. */
  stable: Context
  /** For rows that parts change: the cached answer serves one part only. */
  consumable: Context
}

type Refusals = Readonly<Record<string, () => Problem>>

type PartsPlan<T, Read> = {
  /** The problem for each database constraint that a part may violate. */
  refusals: Refusals
  readAhead(ahead: Prefetch): Promise<Read>
  work(ctx: WriteContext, part: RunPart, read: Read): Promise<T>
}

/** A refusal of all parts; those of single parts are recorded once all is rolled back. */
export class RefusedAsAWhole extends Problem {
  readonly parts: readonly Problem[]
  readonly changeSet: ChangeSetFacts | null

  constructor(
    { code, message, members, faults }: Problem,
    parts: readonly Problem[],
    changeSet: ChangeSetFacts | null,
  ) {
    super(code, message, { members, faults })
    this.parts = parts
    this.changeSet = changeSet
  }
}

/**
 * A transaction of parts. First tried with all parts in one batch; if the database refuses that, it
 * is repeated with a savepoint for each part, to find the one at fault.
 */
export async function withSavepoints<T, Read>(ctx: Context, plan: PartsPlan<T, Read>): Promise<T> {
  try {
    return await inOneBatchOrParts(ctx, plan)
  } catch (error) {
    if (error instanceof RefusedAsAWhole) await recordParts(ctx, error)
    throw error
  }
}

async function inOneBatchOrParts<T, Read>(ctx: Context, plan: PartsPlan<T, Read>): Promise<T> {
  try {
    return await inTransaction(ctx, (ctx) => run(ctx, plan, 'at the commit'))
  } catch (error) {
    if (!isRefusal(error, plan.refusals) && !isRepeated(error)) throw error
    return inTransaction(ctx, (ctx) => run(ctx, plan, 'now'))
  }
}

async function recordParts(ctx: Context, { parts, changeSet }: RefusedAsAWhole): Promise<void> {
  for (const part of parts) {
    await recordRefusal(changeSet ? { ...ctx, changeSet } : ctx, part)
  }
}

const isRefusal = (error: unknown, refusals: Refusals): boolean =>
  Object.hasOwn(refusals, violatedBy(error))

/** The database has not checked the parts yet, so a repeat may find more faults. */
const isRepeated = (error: unknown): boolean =>
  error instanceof Problem && repeated.includes(error.code)

const repeated: readonly ProblemCode[] = ['bulk_failed', 'change_set_not_applicable']

const violatedBy = (error: unknown): string => sqlErrorOf(error).constraint ?? ''

async function run<T, Read>(
  ctx: WriteContext,
  plan: PartsPlan<T, Read>,
  checked: ConstraintCheck,
): Promise<T> {
  const memory: Memory = { stable: new Map(), consumable: new Map() }
  const ahead = {
    stable: recording(ctx, memory.stable),
    consumable: recording(ctx, memory.consumable),
  }
  // In parallel. A replayed request ends here.
  const [, read] = await Promise.all([ctx.ledger, plan.readAhead(ahead)])
  const part: RunPart = async (ctx, work) => {
    try {
      return await attempt(ctx, work, { memory, checked })
    } catch (error) {
      const refusal = checked === 'now' && plan.refusals[violatedBy(error)]
      throw refusal ? refusal() : error
    }
  }
  return plan.work(ctx, part, read)
}

type PendingRows = Promise<unknown[]>
type Memory = {
  readonly stable: Map<string, PendingRows>
  readonly consumable: Map<string, PendingRows>
}

const statementKeyOf = ({ sql, parameters }: Statement): string => sql + JSON.stringify(parameters)

/** Reads through the transaction and caches the answers. */
function recording(ctx: WriteContext, memory: Map<string, PendingRows>): Context {
  const { kysely, query: read } = ctx.wholeReader
  const query: Query = <Row>(statement: Statement) => {
    const rows = memory.get(statementKeyOf(statement)) ?? read(statement)
    memory.set(statementKeyOf(statement), rows)
    return typed<Row>(rows)
  }
  return withReader(ctx, { kysely, query })
}

type Conditions = { memory: Memory; checked: ConstraintCheck }

async function attempt<T>(
  ctx: WriteContext,
  work: SavepointWork<T>,
  { memory, checked }: Conditions,
) {
  const rollBackLedger = markLedger(await ctx.ledger)
  const added = { ...ctx.added }
  try {
    const part = (tx: Transaction) => work(withinPart(ctx, { tx, added, memory }))
    const result = await ctx.tx.attempt(part, checked)
    Object.assign(ctx.added, added)
    return result
  } catch (error) {
    rollBackLedger()
    throw error
  }
}

type Inside = Pick<WriteContext, 'tx' | 'added'> & { memory: Memory }

function withinPart(ctx: WriteContext, { tx, added, memory }: Inside): WriteContext {
  return {
    ...withReader(ctx, readerIn(tx, cachedQuery(tx.query, memory))),
    tx,
    added,
  }
}

const cachedQuery =
  (query: Query, { stable, consumable }: Memory): Query =>
  <Row>(statement: Statement) => {
    const key = statementKeyOf(statement)
    const known = stable.get(key) ?? consumable.get(key)
    consumable.delete(key)
    return known ? typed<Row>(known) : query<Row>(statement)
  }
