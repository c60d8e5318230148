import type { components } from './openapi.ts'

type Problem = components['schemas']['Problem']
type ProblemMembers = components['schemas']['ProblemMembers']

/** The codes that this version of the API documents. */
export type ProblemCode = keyof ProblemMembers

/**
 * A refusal: a problem document (RFC 9457) of the API, or an answer of something between it and you,
 * such as a gateway. The latter has the code `unknown`, and the beginning of the answer as its detail.
 */
export class FlightdeckError extends Error {
  override readonly name = 'FlightdeckError'
  readonly status: number
  /** Stable: branch on it. A newer service may send codes that are not listed. */
  readonly code: ProblemCode | 'unknown' | (string & {})
  /** Empty where a gateway has answered without one. */
  readonly requestId: string
  readonly retry: Problem['retry']
  readonly errors: Problem['errors']
  /** The whole document: some codes add their own members. */
  readonly problem: Problem & Readonly<Record<string, unknown>>
  /** The `Retry-After` header, in seconds from now. */
  readonly retryAfterSeconds: number | null

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`)
    this.status = problem.status
    this.code = problem.code
    this.requestId = problem.request_id
    this.retry = problem.retry
    this.errors = problem.errors
    this.problem = { ...problem }
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether the error is this problem of the API; its members are typed then. */
export const isProblem = <Code extends ProblemCode>(
  error: unknown,
  code: Code,
): error is FlightdeckError & {
  readonly code: Code
  readonly problem: Problem & ProblemMembers[Code]
} => error instanceof FlightdeckError && error.code === code
