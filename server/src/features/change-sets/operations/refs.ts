/** References between the operations of a change set: `@summer` is what `ref: "summer"` creates. Pure. */

import { type Fault, fault } from '../../../problems/fault.ts'
import { memberOf } from '../../../values/objects.ts'
import type { Operation } from './read.ts'

/** The members of a body, and of a template's `defaults`, that may refer, and what they refer to. */
const references = {
  client_id: 'client',
  profile_id: 'profile',
  proxy_id: 'proxy',
  template_id: 'template',
} as const

export const referenceFields = Object.keys(references)

const refOf = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith('@') ? value.slice(1) : null

/** Refs that nothing before creates, that name another kind of object, or that are there twice. */
export function refFaults(operations: readonly Operation[]): Fault[] {
  const made = new Map<string, string>()
  return operations.flatMap((operation) => {
    const { index, ref, resource, op } = operation
    const place = `/operations/${index}`
    const faults = usesOf(operation).flatMap(({ pointer, name, kind }) =>
      made.get(name) === kind ? [] : [unknownRef(`${place}${pointer}`, name, made.get(name))],
    )
    if (ref === null || op !== 'create') return faults
    if (made.has(ref)) faults.push(fault(`${place}/ref`, 'duplicate_item', 'is used before'))
    made.set(ref, resource)
    return faults
  })
}

function unknownRef(pointer: string, name: string, kind: string | undefined): Fault {
  const message = kind
    ? `refers to a ${kind}`
    : 'refers to nothing that an earlier operation creates'
  return fault(pointer, 'invalid_reference', message, { given: `@${name}` })
}

type Use = { pointer: string; name: string; kind: string }

function usesOf({ target, body, resource }: Operation): Use[] {
  const own = refOf(target)
  const defaults = memberOf(body, 'defaults')
  return [
    ...(own === null ? [] : [{ pointer: '/id', name: own, kind: resource }]),
    ...usesIn(body, '/body'),
    ...usesIn(defaults, '/body/defaults'),
  ]
}

const usesIn = (members: unknown, place: string): Use[] =>
  Object.entries(references).flatMap(([field, kind]) => {
    const name = refOf(memberOf(members, field))
    return name === null ? [] : [{ pointer: `${place}/${field}`, name, kind }]
  })

/** The objects that the creations before have made, by ref. */
export type Made = ReadonlyMap<string, string>

/** The id that a target or a member of a body means; what was not made stays as it was sent. */
export function resolved(value: string, made: Made): string {
  const name = refOf(value)
  return name === null ? value : (made.get(name) ?? value)
}

/** A body with ids in place of references; the same body where there are none. */
export function resolvedBody<Body>(body: Body, made: Made): Body {
  const own = withMembers(body, (value) => resolved(value, made))
  const defaults = memberOf(own, 'defaults')
  const resolvedDefaults = withMembers(defaults, (value) => resolved(value, made))
  return resolvedDefaults === defaults ? own : { ...own, defaults: resolvedDefaults }
}

/** Members that may refer, as others; the same object where none does. */
export function withMembers<Members>(
  members: Members,
  renamed: (value: string) => string,
): Members {
  if (typeof members !== 'object' || members === null) return members
  const found = referenceFields.flatMap((field) => {
    const value = memberOf(members, field)
    return typeof value !== 'string' || renamed(value) === value
      ? []
      : [[field, renamed(value)] as const]
  })
  return found.length === 0 ? members : { ...members, ...Object.fromEntries(found) }
}
