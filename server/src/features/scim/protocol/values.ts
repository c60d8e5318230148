import { ScimProblem } from '../../../problems/scim-problem.ts'
import { longestText } from '../resource.ts'

/** A text of a directory, trimmed; empty ones are none. */
export function textOf(value: unknown, name: string, longest = longestText): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') throw new ScimProblem('invalidValue', `${name} is a text.`)
  const text = value.trim()
  if ([...text].length > longest) {
    throw new ScimProblem('invalidValue', `${name} has at most ${longest} characters.`)
  }
  if (/\p{Cc}/u.test(text)) {
    throw new ScimProblem('invalidValue', `${name} has no control characters.`)
  }
  return text === '' ? null : text
}

/** A claim; Entra sends it as text: `"False"`. */
export function claimOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ScimProblem('invalidValue', `${name} is true or false.`)
}

/** The value of an attribute by its name, regardless of case (RFC 7643, 2.1). */
export function attributeOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  const wanted = name.toLowerCase()
  return Object.entries(object).find(([each]) => each.toLowerCase() === wanted)?.[1]
}
