import type { TSchema } from 'typebox'
import type { BareContext, Context } from '../../kernel/context.ts'
import type { Fault } from '../../problems/fault.ts'
import { maxFaults, Problem } from '../../problems/problem.ts'
import type { Query } from '../../query/list.ts'
import {
  badParameters,
  combined,
  type ParameterValue,
  type Received,
  rulesOf,
} from '../../query/parameters.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import { nearestName, shortName } from '../../values/nearest-name.ts'
import { readTimeParameter } from '../../values/times.ts'

type Parameters = Readonly<Record<string, TSchema>>

export const searchOf = (url: string): string => {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Parses the query according to its schemas; unknown, repeated and mistyped parameters are 400. */
export function readQuery(
  search: string,
  parameters: Parameters,
  ctx?: Context | BareContext,
): Query {
  if (search === '') return {}
  const received = receivedIn(search)
  const query = Object.fromEntries([...received].map(([name, values]) => [name, givenOf(values)]))
  const problems: Problem[] = []
  for (const [name, values] of received) {
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const problem = schema
      ? problemWith({ name, values, schema }, query, ctx)
      : unknownParameter(name, Object.keys(parameters))
    if (problem) problems.push(problem)
    if (problems.length >= maxFaults) break
  }
  const [first, ...others] = problems
  if (first) throw combined([first, ...others])
  return query
}

/** Every value of each parameter. */
function receivedIn(search: string): Map<string, string[]> {
  const received = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const values = received.get(name)
    if (values) values.push(value)
    else received.set(name, [value])
  }
  return received
}

const givenOf = (values: readonly string[]): ParameterValue =>
  values.length === 1 ? String(values[0]) : values

function unknownParameter(name: string, known: string[]): Problem {
  const nearest = nearestName(name, known)
  const parameter = shortName(name)
  const hint = nearest ? `; did you mean "${nearest}"?` : ''
  const message = `is not a parameter of this endpoint${hint}`
  const allowed = nearest ? {} : { allowed: known }
  const faults: Fault[] = [{ parameter, code: 'unknown_parameter', message, ...allowed }]
  return new Problem('unknown_parameter', `${parameter}: ${message}`, { faults })
}

type ReceivedParameter = { name: string; values: readonly string[]; schema: TSchema }

function problemWith(
  { name, values, schema }: ReceivedParameter,
  received: Received,
  ctx?: Context | BareContext,
): Problem | undefined {
  const { check, repeats } = rulesOf(schema)
  const fault = values.length > 1 && !repeats ? repeated : faultIn({ name, values, schema })
  if (fault) return badParameters([{ parameter: name, ...fault }])
  // Only authenticated requests have filters to resolve.
  return ctx && 'organization' in ctx ? check?.(name, received, ctx) : undefined
}

type ParameterFault = Omit<Fault, 'parameter'>

const repeated: ParameterFault = { code: 'duplicate_item', message: 'is sent more than once' }

/** The first fault that the schema can detect. */
function faultIn({ name, values, schema }: ReceivedParameter): ParameterFault | undefined {
  for (const value of values) {
    const fault = valueFault(value, name, schema)
    if (fault) return fault
  }
  return undefined
}

function valueFault(value: string, name: string, schema: TSchema): ParameterFault | undefined {
  if (!value.isWellFormed() || value.includes('\u0000') || value.includes('\ufffd')) {
    return { code: 'invalid_format', message: 'is not well-formed text' }
  }
  const { type, enum: allowed, format, minimum } = keywordsOf(schema)
  if (type === 'integer') return integerFault(value, minimum)
  const choices = type === 'boolean' ? ['true', 'false'] : allowed
  if (choices && !choices.includes(value)) {
    const message = type === 'boolean' ? 'must be true or false' : 'is not an allowed value'
    return { code: 'invalid_enum_value', message, allowed: choices, given: value.slice(0, 80) }
  }
  if (format !== 'date-time') return undefined
  const read = readTimeParameter(value, name)
  return 'fault' in read ? read.fault : undefined
}

const integer = /^-?(?:0|[1-9]\d*)$/

function integerFault(value: string, least = Number.NEGATIVE_INFINITY): ParameterFault | undefined {
  const given = value.slice(0, 40)
  if (!integer.test(value)) return { code: 'invalid_type', message: 'must be an integer', given }
  if (Number(value) >= least) return undefined
  return { code: 'out_of_range', message: `must be at least ${least}`, limit: least, given }
}
