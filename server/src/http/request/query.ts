import type { TSchema } from 'typebox'
import type { BareContext, Context } from '../../kernel/context.ts'
import { type Fault, maxFaults, Problem } from '../../problems/problem.ts'
import type { Query } from '../../query/list.ts'
import { badParameters, checkOf, combined } from '../../query/parameters.ts'
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
  const query: Record<string, string> = {}
  const problems: Problem[] = []
  for (const [name, value] of new URLSearchParams(search)) {
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const problem = schema
      ? problemWith({ name, value, schema, isRepeated: name in query }, ctx)
      : unknownParameter(name, Object.keys(parameters))
    if (problem) problems.push(problem)
    if (problems.length >= maxFaults) break
    query[name] = value
  }
  const [first, ...others] = problems
  if (first) throw combined([first, ...others])
  return query
}

function unknownParameter(name: string, known: string[]): Problem {
  const nearest = nearestName(name, known)
  const parameter = shortName(name)
  const message = `is not a parameter of this endpoint${nearest ? `; did you mean "${nearest}"?` : ''}`
  const faults: Fault[] = [{ parameter, code: 'unknown_parameter', message }]
  return new Problem('unknown_parameter', `${parameter}: ${message}`, { faults })
}

type GivenParameters = { name: string; value: string; schema: TSchema; isRepeated: boolean }

function problemWith(given: GivenParameters, ctx?: Context | BareContext): Problem | undefined {
  const fault = valueFault(given)
  if (fault) return badParameters([{ parameter: given.name, ...fault }])
  // Only authenticated requests have filters to resolve.
  if (!ctx || !('organization' in ctx)) return undefined
  return checkOf(given.schema)?.(given.value, given.name, ctx)
}

type ParameterFault = Omit<Fault, 'parameter'>

/** The faults of a value that its schema can detect. */
function valueFault({
  name,
  value,
  schema,
  isRepeated,
}: GivenParameters): ParameterFault | undefined {
  if (isRepeated) return { code: 'duplicate_item', message: 'is sent more than once' }
  if (!value.isWellFormed() || value.includes('\u0000') || value.includes('\ufffd')) {
    return { code: 'invalid_format', message: 'is not well-formed text' }
  }
  const { type, enum: allowed, format, minimum } = schema as Rules
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

type Rules = { type?: string; enum?: string[]; format?: string; minimum?: number }

const integer = /^-?(?:0|[1-9]\d*)$/

function integerFault(value: string, least = Number.NEGATIVE_INFINITY): ParameterFault | undefined {
  const given = value.slice(0, 40)
  if (!integer.test(value)) return { code: 'invalid_type', message: 'must be an integer', given }
  if (Number(value) >= least) return undefined
  return { code: 'out_of_range', message: `must be at least ${least}`, limit: least, given }
}
