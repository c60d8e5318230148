import { ScimProblem } from '../../../problems/scim-problem.ts'
import { memberOf } from '../../../values/objects.ts'
import { mostOperations } from '../resource.ts'
import { type Comparison, plainAttribute, readFilter } from './filter.ts'

/** One change of one attribute, whichever way the directory has spelled it. */
export type PatchOperation = {
  readonly op: 'add' | 'replace' | 'remove'
  /** In lower case, without its schema: `name.givenname`. */
  readonly attribute: string
  /** The values of a list that are meant: `members[value eq "…"]`. */
  readonly where: readonly Comparison[]
  readonly value: unknown
}

const longestPath = 500

/**
 * The operations of a PATCH. Entra writes `Replace`, paths of values and dotted keys without a path;
 * Okta writes whole objects without a path.
 */
export function readPatch(body: unknown): PatchOperation[] {
  const sent = memberOf(body, 'Operations') ?? memberOf(body, 'operations')
  if (!Array.isArray(sent)) throw new ScimProblem('invalidSyntax', 'Operations must be a list.')
  if (sent.length === 0) throw new ScimProblem('invalidSyntax', 'There is no operation.')
  if (sent.length > mostOperations) {
    throw new ScimProblem('tooMany', `A PATCH has at most ${mostOperations} operations.`)
  }
  return sent.flatMap(readOperation)
}

function readOperation(sent: unknown): PatchOperation[] {
  const op = opOf(memberOf(sent, 'op'))
  const path = memberOf(sent, 'path')
  const value = memberOf(sent, 'value')
  if (typeof path === 'string' && path !== '') return [{ op, value, ...readPath(path) }]
  if (path !== undefined && path !== null && path !== '') {
    throw new ScimProblem('invalidPath', 'A path is a text.')
  }
  if (op === 'remove') throw new ScimProblem('noTarget', 'What is removed needs a path.')
  return flat(value).map(([name, value]) => ({ op, value, ...readPath(name) }))
}

function opOf(op: unknown): PatchOperation['op'] {
  const name = String(op).slice(0, 20).toLowerCase()
  if (name === 'add' || name === 'replace' || name === 'remove') return name
  throw new ScimProblem('invalidSyntax', 'op is add, replace or remove.')
}

const pathForm =
  /^((?:urn:[\w.:-]+:)?[a-z$][\w$-]*)(?:\.([a-z$][\w$-]*)|\[([^\]]*)\](?:\.([a-z$][\w$-]*))?)?$/i

function readPath(path: string): Pick<PatchOperation, 'attribute' | 'where'> {
  const match = path.length <= longestPath ? pathForm.exec(path.trim()) : null
  if (!match) throw new ScimProblem('invalidPath', `This is not a path: ${path.slice(0, 80)}`)
  const [, name = '', inner, filter, innerOfList] = match
  const last = inner ?? innerOfList
  const attribute = plainAttribute(last === undefined ? name : `${name}.${last}`)
  return { attribute, where: filter === undefined ? [] : readFilter(filter) }
}

/** The attributes of an object without a path; those within `name` are each their own. */
function flat(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScimProblem('invalidValue', 'Without a path, the value is an object.')
  }
  return Object.entries(value).filter(([name]) => pathForm.test(name) && !isSchema(name))
}

/** An extension as a whole: none is kept here. */
const isSchema = (name: string): boolean =>
  /^urn:/i.test(name) && !/^urn:ietf:params:scim:schemas:core:2\.0:/i.test(name)
