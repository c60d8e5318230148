import type { TSchema } from 'typebox'
import type { Context } from '../kernel/context.ts'
import type { ProblemCode } from '../problems/codes.ts'
import type { Fault } from '../problems/fault.ts'
import { faultSummary, Problem } from '../problems/problem.ts'
import { readTimeParameter } from '../values/times.ts'

/** A parameter as received: a list if it was sent several times. */
export type ParameterValue = string | readonly string[]

export type Received = Readonly<Record<string, ParameterValue>>

/** Checks that a schema cannot express; returns a problem or undefined. */
export type Check = (name: string, received: Received, ctx: Context) => Problem | undefined

type ParameterRules = {
  check?: Check
  /** May be sent several times. */
  repeats?: boolean
}

/** The rules are internal: they are not JSON Schema keywords. */
export const ruledBy = (schema: TSchema, rules: ParameterRules): TSchema => ({
  ...schema,
  ...rules,
})

export const rulesOf = (schema: TSchema): ParameterRules => schema

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
