import { setImmediate } from 'node:timers/promises'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { RefusedAsAWhole, type RunPart, withSavepoints } from '../../../kernel/savepoints.ts'
import { recordRefusal } from '../../../kernel/transaction.ts'
import { documentOf } from '../../../problems/document.ts'
import { Problem } from '../../../problems/problem.ts'
import { memberOf } from '../../../values/objects.ts'
import { campaignRefusals } from '../refusals.ts'
import type { Campaign } from '../schema.ts'
import { atOperation, isOfOperation, itemsOf, warningsOf } from './faults.ts'
import { campaignKinds, runOperation } from './operations.ts'
import { readAhead } from './prefetch.ts'
import type { BulkInput, BulkReply, BulkResult } from './schema.ts'

/**
 * The number of requests the operations count as against the rate limit. Runs on an unchecked body.
 */
export function costOfBulk(body: unknown): number {
  const operations = memberOf(body, 'operations')
  return Array.isArray(operations)
    ? Math.min(10, Math.max(1, Math.ceil(operations.length / 10)))
    : 1
}

export const statusOfBulk = (body: unknown): 200 | 207 =>
  memberOf(body, 'mode') === 'atomic' ? 200 : 207

/** The reply without objects, for `Prefer: return=minimal`. */
export function withoutObjects(reply: unknown): BulkReply {
  const results = memberOf(reply, 'results')
  return { results: Array.isArray(results) ? results.map(({ object: _, ...rest }) => rest) : [] }
}

/**
 * Runs up to 100 operations in one transaction: independently (partial) or all or nothing (atomic).
 */
export const bulk = (ctx: Context, { mode, operations }: BulkInput): Promise<BulkReply> =>
  withSavepoints(ctx, {
    refusals: campaignRefusals,
    readAhead: (ahead) => readAhead(ahead, operations),
    work: async (ctx, part) => {
      const outcomes = await outcomesOf(ctx, operations, { part, mode })
      if (mode === 'atomic') refuseFailed(outcomes)
      return { results: outcomes.map((outcome) => resultOf(ctx, outcome)) }
    },
  })

type Numbered = { index: number; operation: unknown }
type Failed = Numbered & { status: number; problem: Problem; cause: Problem }
type BulkOutcome = (Numbered & { status: number; object: Campaign | null }) | Failed

const failedOf = (outcomes: BulkOutcome[]): Failed[] =>
  outcomes.filter((outcome) => 'problem' in outcome)

type Tools = { part: RunPart; mode: BulkInput['mode'] }

async function outcomesOf(
  ctx: WriteContext,
  operations: readonly unknown[],
  tools: Tools,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = []
  for (const [index, operation] of operations.entries()) {
    // Yields to other requests.
    if (index % 10 === 9) await setImmediate()
    outcomes.push(await outcomeOf(ctx, { index, operation }, tools))
  }
  return outcomes
}

async function outcomeOf(
  ctx: WriteContext,
  { index, operation }: Numbered,
  { part, mode }: Tools,
): Promise<BulkOutcome> {
  const dryRun = ctx.dryRun && { object: undefined, warnings: [] }
  const own = { ...ctx, ifMatch: versionIn(operation), dryRun }
  try {
    const done = await part(own, (ctx) => runOperation(ctx, operation, { kinds: campaignKinds }))
    if (dryRun) ctx.dryRun?.warnings.push(...warningsOf(index, dryRun))
    return { index, operation, ...done }
  } catch (error) {
    if (!(error instanceof Problem) || !isOfOperation(error)) throw error
    // Atomic mode records refusals after the rollback.
    if (mode === 'partial') await recordRefusal(ctx, error)
    const { status } = error
    return { index, operation, status, problem: atOperation(index, error), cause: error }
  }
}

/** `version` in an operation corresponds to `If-Match` on the single request. */
function versionIn(operation: unknown): number[] | null {
  const version = memberOf(operation, 'version')
  return typeof version === 'number' ? [version] : null
}

function refuseFailed(outcomes: BulkOutcome[]): void {
  const failed = failedOf(outcomes)
  if (failed.length === 0) return
  const detail = `${failed.length} of ${outcomes.length} operations failed, so none was applied.`
  const problem = new Problem('bulk_failed', detail, { faults: failed.flatMap(itemsOf) })
  const causes = failed.map(({ cause }) => cause)
  throw new RefusedAsAWhole(problem, causes, null)
}

function resultOf({ request }: Context, outcome: BulkOutcome): BulkResult {
  const { index, status } = outcome
  if (!('problem' in outcome)) {
    return { index, status, id: outcome.object?.id ?? idIn(outcome), object: outcome.object }
  }
  const about = { instance: request?.path ?? '/', requestId: request?.id ?? '' }
  return { index, status, id: idIn(outcome), problem: documentOf(outcome.problem, about) }
}

function idIn({ operation }: Numbered): string | null {
  const id = memberOf(operation, 'id')
  return typeof id === 'string' ? id : null
}
