import type { DryRun, Warning } from '../../../kernel/context.ts'
import type { Fault } from '../../../problems/fault.ts'
import { operationCodes } from '../../../problems/fault-codes.ts'
import { type Problem, withPointerPrefix } from '../../../problems/problem.ts'

type OperationCode = (typeof operationCodes)[number]

const operationCodeOf = ({ code }: Problem): OperationCode | undefined =>
  operationCodes.find((known) => known === code)

/** Whether the problem belongs to one operation, not to the service or the whole request. */
export const isOfOperation = (problem: Problem): boolean =>
  problem.code === 'validation_failed' || operationCodeOf(problem) !== undefined

const placeOf = (index: number) => `/operations/${index}`

/** An operation's problem, with pointers relative to the whole request. */
export const atOperation = (index: number, problem: Problem): Problem =>
  withPointerPrefix(problem, (pointer) => placeOf(index) + pointer)

/** Warnings point into the operation's body, or at the whole body. */
export const warningsOf = (index: number, { warnings }: Pick<DryRun, 'warnings'>): Warning[] =>
  warnings.map((each) => {
    const place = each.pointer === null ? '' : `/body${each.pointer}`
    return { ...each, pointer: placeOf(index) + place }
  })

/** The member of an operation that a problem code refers to. */
const members: Partial<Record<OperationCode, string>> = {
  not_found: '/id',
  external_id_taken: '/body/external_id',
  version_mismatch: '/version',
  precondition_required: '/version',
}

/** A failed operation as entries in the `errors` of the refused request. */
export function itemsOf({ index, problem }: { index: number; problem: Problem }): Fault[] {
  const code = operationCodeOf(problem)
  if (!code && problem.faults.length === 0) throw problem
  if (!code) return problem.faults
  if (problem.faults.length > 0) return problem.faults.map((fault) => ({ ...fault, code }))
  const pointer = placeOf(index) + (members[code] ?? '')
  const { allowed_actions: allowed, ...facts }: Record<string, unknown> = { ...problem.members }
  const more = Array.isArray(allowed) ? { allowed, ...facts } : facts
  return [{ pointer, code, message: problem.message, ...more }]
}
