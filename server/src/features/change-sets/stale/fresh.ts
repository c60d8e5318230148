import type { Context } from '../../../kernel/context.ts'
import type { Fault } from '../../../problems/fault.ts'
import { operationCodes } from '../../../problems/fault-codes.ts'
import type { StaleOperation } from '../../../problems/members.ts'
import { conflict, Problem } from '../../../problems/problem.ts'
import { memberOf } from '../../../values/objects.ts'
import { type OperationRow, storedOperations } from '../operations/rows.ts'
import type { ChangeSetRow } from '../present.ts'
import { staleIn } from './stale.ts'

/** Throws 409 if objects have moved since the trial. */
export async function checkFresh(ctx: Context, { id }: ChangeSetRow): Promise<void> {
  const stale = (await staleIn(ctx, [id]))(id)
  if (stale.length > 0) throw staleProblem(stale)
}

export const staleProblem = (stale: StaleOperation[]): Problem =>
  conflict(
    'change_set_stale',
    `${stale.length === 1 ? 'One operation' : `${stale.length} operations`} would not do any more what was tried.`,
    { stale },
  )

/** With the faults that the trial has found. */
export async function notApplicable(ctx: Context, row: ChangeSetRow): Promise<Problem> {
  const operations = await storedOperations(ctx, row.id)
  return notApplicableWith(operations.flatMap(faultsOf), row)
}

export const notApplicableWith = (faults: Fault[], { summary, operation_count }: ChangeSetRow) =>
  new Problem(
    'change_set_not_applicable',
    `${Math.max(summary.failed, 1)} of ${operation_count} operations fail, so none is applied.`,
    { faults },
  )

/** A stored problem as entries in `errors`. */
function faultsOf({ index, problem }: OperationRow): Fault[] {
  if (!problem) return []
  const errors = memberOf(problem, 'errors')
  const faults: Fault[] = Array.isArray(errors) ? errors : []
  if (faults.length > 0) return faults
  const { code, detail, current_version } = problem
  return [
    {
      pointer: `/operations/${index}`,
      code: operationCodes.find((each) => each === code) ?? 'invalid_reference',
      message: String(detail),
      ...(current_version !== undefined && { current_version }),
    },
  ]
}
