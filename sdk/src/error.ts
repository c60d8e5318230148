import type { components } from './openapi.ts'

type Problem = components['schemas']['Problem']
type ProblemMembers = components['schemas']['ProblemMembers']

/** The codes that this version of the API documents. */
export type ProblemCode = keyof ProblemMembers

/** A problem document (RFC 9457) from the API. */
export class FlightdeckError extends Error {
  override readonly name = 'FlightdeckError'
  readonly status: number
  /** Stable: branch on it. A newer service may send codes that are not listed. */
  readonly code: ProblemCode | (string & {})
  readonly requestId: string
  readonly retry: Problem['retry']
  readonly errors: Problem['errors']
  /** The whole document: some codes add their own members. */
  readonly problem: Problem & Readonly<Record<string, unknown>>
  /** The `Retry-After` header, in seconds. */
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

/** The error of an unsuccessful response. */
export async function errorOf(response: Response): Promise<FlightdeckError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const problem = await problemOf(response)
  return new FlightdeckError(problem, Number.isFinite(seconds) ? seconds : null)
}

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  if (/\bapplication\/problem\+json\b/.test(response.headers.get('content-type') ?? '')) {
    // The API answers every error with this shape; its tests enforce it.
    return JSON.parse(text) as Problem
  }
  return foreignProblem(response, text)
}

/** The response came from something else, such as a gateway. */
const foreignProblem = ({ status, headers, url }: Response, text: string): Problem => ({
  type: 'about:blank',
  title: 'The answer is not from Flightdeck',
  status,
  detail: text.slice(0, 200),
  instance: url,
  code: 'unknown',
  request_id: headers.get('x-request-id') ?? '',
  retry: status === 429 || status >= 502 ? 'transient' : 'terminal',
  errors: [],
})
