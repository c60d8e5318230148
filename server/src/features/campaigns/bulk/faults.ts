import type { DryRun, Warning } from '../../../kernel/context.ts'
import { operationCodes } from '../../../problems/fault-codes.ts'
import { type Fault, type Problem, withPointerPrefix } from '../../../problems/problem.ts'

type OperationCode = (typeof operationCodes)[number]

const operationCodeOf = ({ code }: Problem): OperationCode | undefined =>
  operationCodes.find((known) => known === code)

/** Whether a problem is one operation's own, and not the service's or the whole request's. */
export const isOfOperation = (problem: Problem): boolean =>
  problem.code === 'validation_failed' || operationCodeOf(problem) !== undefined

const placeOf = (index: number) => `/operations/${index}`

/** An operation's problem, with pointers into the request. */
export const atOperation = (index: number, problem: Problem): Problem =>
  withPointerPrefix(problem, (pointer) => placeOf(index) + pointer)

/** Warnings are about what an operation's body makes, or about all of it. */
export const warningsOf = (index: number, { warnings }: Pick<DryRun, 'warnings'>): Warning[] =>
  warnings.map((each) => {
    const place = each.pointer === null ? '' : `/body${each.pointer}`
    return { ...each, pointer: placeOf(index) + place }
  })

/** The member of an operation that the problem is about, where it is one. */
const members: Partial<Record<OperationCode, string>> = {
  not_found: '/id',
  external_id_taken: '/body/external_id',
  version_mismatch: '/version',
  precondition_required: '/version',
}

/** A failed operation in the `errors` of a request that is refused as a whole. */
export function itemsOf({ index, problem }: { index: number; problem: Problem }): Fault[] {
  const code = operationCodeOf(problem)
  if (!code && problem.faults.length === 0) throw problem
  if (!code) return problem.faults
  if (problem.faults.length > 0) return problem.faults.map((fault) => ({ ...fault, code }))
  const pointer = placeOf(index) + (members[code] ?? '')
  const { allowed_actions: allowed, ...facts } = problem.members
  const more = Array.isArray(allowed) ? { allowed, ...facts } : facts
  return [{ pointer, code, message: problem.message, ...more }]
}
