import { type ProblemCode, problemKinds } from './codes.ts'
import type { Fault } from './fault.ts'
import { maxFaults, type Problem } from './problem.ts'

export type ProblemDocument = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: ProblemCode
  request_id: string
  retry: string
  errors: Fault[]
}

/** RFC 9457; every error of the service has this shape. */
export function documentOf(
  problem: Pick<Problem, 'code' | 'message' | 'members' | 'faults'> & { status?: number },
  { instance, requestId }: { instance: string; requestId: string },
): ProblemDocument {
  const { title, retry, ...usual } = problemKinds[problem.code]
  return {
    type: `/problems/${problem.code}`,
    title,
    status: problem.status ?? usual.status,
    detail: problem.message,
    instance,
    code: problem.code,
    request_id: requestId,
    retry,
    ...problem.members,
    errors: problem.faults.slice(0, maxFaults),
  }
}
