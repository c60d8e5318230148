import type { TSchema } from 'typebox'
import type { Context } from '../kernel/context.ts'
import type { ProblemCode } from '../problems/codes.ts'
import { type Fault, faultSummary, Problem } from '../problems/problem.ts'
import { readTimeParameter } from '../values/times.ts'

/** Checks that a schema cannot express; returns a problem or undefined. */
export type Check = (text: string, name: string, ctx: Context) => Problem | undefined

/** `check` is internal; it is not a JSON Schema keyword. */
type Checked = TSchema & { check?: Check }

export const checkedBy = (schema: TSchema, check: Check): TSchema => ({ ...schema, check })

export const checkOf = (schema: TSchema): Check | undefined => (schema as Checked).check

export const badParameters = (faults: Fault[]) =>
  new Problem('invalid_parameter', faultSummary(faults), { faults })

/** The time in a parameter; undefined if omitted. */
export function timeIn(text: string | undefined, parameter: string): string | undefined {
  if (text === undefined) return undefined
  const read = readTimeParameter(text, parameter)
  if ('fault' in read) throw badParameters([read.fault])
  return read.time
}

/** Combines problems of a query; an unknown parameter determines the code. */
export function combined(problems: readonly [Problem, ...Problem[]]): Problem {
  const [first, ...others] = problems
  if (others.length === 0) return first
  const has = (code: ProblemCode) => problems.some((problem) => problem.code === code)
  const code = has('unknown_parameter') ? 'unknown_parameter' : 'invalid_parameter'
  const isUnknown = (problem: Problem) => problem.code === 'unknown_parameter'
  const sorted = [...problems.filter(isUnknown), ...problems.filter((each) => !isUnknown(each))]
  const faults = sorted.flatMap((problem) => problem.faults)
  return new Problem(code, faultSummary(faults), { faults })
}
