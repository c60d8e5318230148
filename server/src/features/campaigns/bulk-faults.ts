import type { Fault, Problem } from '../../kernel/errors.ts'
import { operationCodes } from '../../kernel/problems.ts'

type OperationCode = (typeof operationCodes)[number]

const operationCodeOf = ({ code }: Problem): OperationCode | undefined =>
  operationCodes.find((known) => known === code)

/** Whether a problem is one operation's own, and not the service's or the whole request's. */
export const isOfOperation = (problem: Problem): boolean =>
  problem.code === 'validation_failed' || operationCodeOf(problem) !== undefined

const placeOf = (index: number) => `/operations/${index}`

/** Pointers into an operation as pointers into the request. */
export const within = <Told extends { pointer?: string | null }>(
  index: number,
  told: readonly Told[],
): Told[] =>
  told.map((each) => {
    const { pointer } = each
    return typeof pointer === 'string' ? { ...each, pointer: placeOf(index) + pointer } : each
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
  if (problem.faults.length > 0) return problem.faults
  const code = operationCodeOf(problem)
  if (!code) throw problem
  const pointer = placeOf(index) + (members[code] ?? '')
  const { allowed_actions: allowed } = problem.members
  const more = Array.isArray(allowed) ? { allowed } : {}
  return [{ pointer, code, message: problem.message, ...more }]
}
