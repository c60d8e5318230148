import { ScimProblem } from '../../../problems/scim-problem.ts'

/** `name eq "value"`: the attribute in lower case, without the schema before it. */
export type Comparison = { readonly attribute: string; readonly value: string }

const longestFilter = 1_000

const attributePattern =
  /^\s*([A-Za-z][\w$:.-]*(?:\[[^\]"]*"[^"\\]*"[^\]"]*\](?:\.[A-Za-z]\w*)?)?)\s+[Ee][Qq]\s+/
const valuePattern = /^("(?:[^"\\]|\\.)*"|true|false)\s*/i

/**
 * The comparisons of a filter, which all must hold. Directories ask by `eq` and `and`; of all other
 * filters (RFC 7644, 3.4.2.2) none is sent by them, and none is guessed here.
 */
export function readFilter(text: string): Comparison[] {
  if (text.length > longestFilter) throw unfit(`A filter has at most ${longestFilter} characters.`)
  const found: Comparison[] = []
  let rest = text
  for (;;) {
    const [before = '', attribute] = attributePattern.exec(rest) ?? []
    const [whole = '', value] = valuePattern.exec(rest.slice(before.length)) ?? []
    if (!attribute || !value)
      throw unfit(`Filters compare by eq and join by and: ${rest.slice(0, 80)}`)
    found.push({ attribute: plainAttribute(attribute), value: textIn(value) })
    rest = rest.slice(before.length + whole.length)
    if (rest === '') return found
    const and = /^and\s+/i.exec(rest)
    if (!and) throw unfit(`This is not "and": ${rest.slice(0, 80)}`)
    rest = rest.slice(and[0].length)
  }
}

/** `urn:…:User:userName` and `userName` are `username`; the filter of a list is left out. */
export function plainAttribute(name: string): string {
  const at = name.indexOf('[')
  const whole = at < 0 ? name : name.slice(0, at) + name.slice(name.lastIndexOf(']') + 1)
  return whole.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i, '').toLowerCase()
}

/** A text as JSON writes it. */
function textIn(text: string): string {
  if (!text.startsWith('"')) return text.toLowerCase()
  try {
    return String(JSON.parse(text))
  } catch {
    throw unfit('A text of the filter is not well-formed.')
  }
}

const unfit = (detail: string) => new ScimProblem('invalidFilter', detail)
