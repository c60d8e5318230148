import { type ProblemCode, problemKinds } from './codes.ts'
import { type Fault, fault } from './fault.ts'
import type { MembersOf } from './members.ts'

/** Maximum faults in a response; further ones are dropped. */
export const maxFaults = 50

type ProblemOptions<Code extends ProblemCode> = {
  members?: MembersOf<Code>
  faults?: Fault[]
  headers?: Record<string, string>
  /** The status, where it is not the usual one of the code. */
  status?: number
  /** For the log only; never sent. */
  cause?: unknown
}

/** 501 is a fault of the request: no server could handle it. */
export const isServerFault = (status: number): boolean => status >= 500 && status !== 501

/** The only error type that verbs throw; `message` becomes the `detail` for the caller. */
export class Problem<Code extends ProblemCode = ProblemCode> extends Error {
  readonly code: Code
  readonly members: MembersOf<ProblemCode>
  readonly faults: Fault[]
  readonly headers: Record<string, string>
  readonly status: number

  constructor(code: Code, detail: string, options: ProblemOptions<Code> = {}) {
    const { stackTraceLimit } = Error
    // A stack helps only for internal errors; capturing it takes microseconds.
    if (!isServerFault(problemKinds[code].status) || code === 'overloaded')
      Error.stackTraceLimit = 0
    super(detail, { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.members = options.members ?? {}
    this.faults = options.faults ?? []
    this.headers = options.headers ?? {}
    this.status = options.status ?? problemKinds[code].status
  }
}

/**
 * A refusal that is recorded although nothing was written: `record` runs after the transaction,
 * with a context that can open another.
 */
export class Refusal<Context, Code extends ProblemCode = ProblemCode> extends Problem {
  readonly record: (ctx: Context) => Promise<void>

  constructor(
    code: Code,
    detail: string,
    { record, ...options }: ProblemOptions<Code> & { record: (ctx: Context) => Promise<void> },
  ) {
    super(code, detail, options)
    this.record = record
  }
}

/** The same problem with its fault pointers prefixed. */
export function withPointerPrefix(problem: Problem, place: (pointer: string) => string): Problem {
  const faults = problem.faults.map((each) =>
    each.pointer === undefined ? each : { ...each, pointer: place(each.pointer) },
  )
  const { code, message, members, headers } = problem
  if (code === 'validation_failed') return invalid(faults)
  return problem instanceof Refusal
    ? new Refusal(code, message, { members, headers, faults, record: problem.record })
    : new Problem(code, message, { members, headers, faults })
}

/** Refuses what the clock would do in an organization that is suspended. */
export const suspended = () =>
  new Problem('organization_suspended', 'The organization is suspended.')

/** Used for missing objects and for those of other organizations. */
export const notFound = () => new Problem('not_found', 'Nothing exists at this address.')

/** 403 for what would end outside the caller's scope, or concerns more than it. */
export const outOfScope = (detail: string) => new Problem('out_of_scope', detail)

export const conflict = <Code extends ProblemCode>(
  code: Code,
  detail: string,
  members?: MembersOf<Code>,
) => new Problem(code, detail, members && { members })

export const externalIdTaken = (kind: string) =>
  conflict('external_id_taken', `Another ${kind} has this external_id.`)

/** 422 with every fault of the body. */
export const invalid = (faults: Fault[]) =>
  new Problem('validation_failed', faultSummary(faults), { faults })

/** Throws if there are faults, including those found before the verb ran. */
export function checkFaults(ctx: { readonly faults: readonly Fault[] }, found: Fault[]): void {
  if (found.length > 0 || ctx.faults.length > 0) throw invalid(found)
}

/** The id does not exist in this organization. */
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
