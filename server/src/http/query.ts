import { closest } from 'fastest-levenshtein'
import type { TSchema } from 'typebox'
import { type Fault, faultSummary, Problem } from '../kernel/errors.ts'
import type { Query } from '../kernel/pages.ts'

type Parameters = Readonly<Record<string, TSchema>>

/** Reads the query by hand of its schemas: unknown, repeated and mistyped parameters are 400. */
export function readQuery(search: string, parameters: Parameters): Query {
  if (search === '') return {}
  const query: Record<string, string> = {}
  const unknown: Fault[] = []
  const bad: Fault[] = []
  for (const [name, value] of new URLSearchParams(search)) {
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (!schema) unknown.push(unknownParameter(name, Object.keys(parameters)))
    else bad.push(...valueFaults(name, value, { schema, isRepeated: name in query }))
    query[name] = value
  }
  if (unknown.length > 0) {
    throw new Problem('unknown_parameter', faultSummary(unknown), { faults: [...unknown, ...bad] })
  }
  if (bad.length > 0) throw new Problem('invalid_parameter', faultSummary(bad), { faults: bad })
  return query
}

function unknownParameter(name: string, known: string[]): Fault {
  const nearest = known.length > 0 ? `; did you mean "${closest(name, known)}"?` : ''
  const parameter = name.slice(0, 80)
  return { parameter, code: 'unknown_parameter', message: `is not a parameter here${nearest}` }
}

type Rule = { schema: TSchema; isRepeated: boolean }

/** Only what a schema can say of a text: lists check their own filters further. */
function valueFaults(parameter: string, value: string, { schema, isRepeated }: Rule): Fault[] {
  const { type, enum: allowed } = schema as { type?: string; enum?: string[] }
  if (isRepeated) return [{ parameter, code: 'duplicate_item', message: 'is given twice' }]
  if (!value.isWellFormed() || value.includes('\u0000') || value.includes('\ufffd')) {
    return [{ parameter, code: 'invalid_format', message: 'is not well-formed text' }]
  }
  if (type === 'boolean' && value !== 'true' && value !== 'false') {
    const choices = { allowed: ['true', 'false'], given: value.slice(0, 80) }
    return [{ parameter, code: 'invalid_enum_value', message: 'must be true or false', ...choices }]
  }
  if (allowed && !allowed.includes(value)) {
    const choices = { allowed, given: value.slice(0, 80) }
    return [
      { parameter, code: 'invalid_enum_value', message: 'is not an allowed value', ...choices },
    ]
  }
  return []
}
