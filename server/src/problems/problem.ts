import { type ProblemCode, problemKinds } from './codes.ts'
import type { FaultCode } from './fault-codes.ts'
import type { FaultMember } from './fault-members.ts'

/** One fault of a request: exactly one of pointer, parameter and header says where. */
export type Fault = {
  pointer?: string
  parameter?: string
  header?: string
  code: FaultCode
  message: string
  allowed?: readonly unknown[]
  limit?: unknown
  given?: unknown
} & { [Name in FaultMember]?: unknown }

/** An answer has so many at most; more are not even described. */
export const mostFaults = 50

type ProblemOptions = {
  /** Members of the problem document beside the standard ones. */
  members?: Record<string, unknown>
  faults?: Fault[]
  headers?: Record<string, string>
  /** For the log only: never sent. */
  cause?: unknown
}

/** 501 is about a request that no server could carry out. */
export const isServerFault = (status: number): boolean => status >= 500 && status !== 501

/** The one error that verbs throw: `message` is the `detail` that the caller reads. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly members: Record<string, unknown>
  readonly faults: Fault[]
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    const { stackTraceLimit } = Error
    // A stack helps only with a fault of the service; collecting it takes microseconds.
    if (!isServerFault(problemKinds[code].status) || code === 'overloaded')
      Error.stackTraceLimit = 0
    super(detail, { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.members = options.members ?? {}
    this.faults = options.faults ?? []
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return problemKinds[this.code].status
  }
}

/**
 * A refusal that is told although nothing was written: `tell` runs once the transaction is over, with
 * a context that can open another.
 */
export class Refusal<Context> extends Problem {
  readonly record: (ctx: Context) => Promise<void>

  constructor(
    code: ProblemCode,
    detail: string,
    { tell, ...options }: ProblemOptions & { tell: (ctx: Context) => Promise<void> },
  ) {
    super(code, detail, options)
    this.record = tell
  }
}

/** The same problem of a larger body, with its faults where that has them. */
export function withPointerPrefix(problem: Problem, place: (pointer: string) => string): Problem {
  const faults = problem.faults.map((each) =>
    each.pointer === undefined ? each : { ...each, pointer: place(each.pointer) },
  )
  const { code, message, members, headers } = problem
  if (code === 'validation_failed') return invalid(faults)
  return problem instanceof Refusal
    ? new Refusal(code, message, { members, headers, faults, tell: problem.record })
    : new Problem(code, message, { members, headers, faults })
}

/** The same answer for what is missing and for what belongs to another organization. */
export const notFound = () => new Problem('not_found', 'There is nothing at this address.')

export const conflict = (
  code: ProblemCode,
  detail: string,
  members: Record<string, unknown> = {},
) => new Problem(code, detail, { members })

export const externalIdTaken = (kind: string) =>
  conflict('external_id_taken', `Another ${kind} has this external_id.`)

/** 422 with every fault of the body. */
export const invalid = (faults: Fault[]) =>
  new Problem('validation_failed', faultSummary(faults), { faults })

/** Ends a verb at its faults, or at those that were found before it ran. */
export function checkFaults(ctx: { readonly faults: readonly Fault[] }, found: Fault[]): void {
  if (found.length > 0 || ctx.faults.length > 0) throw invalid(found)
}

export const fault = (
  pointer: string,
  code: FaultCode,
  message: string,
  more: Pick<Fault, 'allowed' | 'limit' | 'given'> = {},
): Fault => ({ pointer, code, message, ...more })

/** A body refers to something that is not there (or is another organization's). */
export const invalidReference = (pointer: string, given: unknown): Fault =>
  fault(pointer, 'invalid_reference', 'does not exist in this organization', { given })

export const inThePast = (pointer: string, more: Pick<Fault, 'given'> = {}): Fault =>
  fault(pointer, 'date_in_past', 'must be in the future', more)

export const retryLater = (code: 'unavailable' | 'overloaded' | 'shutting_down', cause?: unknown) =>
  new Problem(code, problemKinds[code].cause, { headers: { 'retry-after': '1' }, cause })

export function faultSummary(faults: Fault[]): string {
  const [first] = faults
  if (!first) return 'The request has a fault.'
  const where = first.pointer || first.parameter || first.header || 'The body'
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return `${where}: ${first.message}${more}`
}
