/** References between the operations of a change set: `@summer` is what `ref: "summer"` creates. Pure. */

import { type Fault, fault } from '../../../problems/fault.ts'
import { memberOf } from '../../../values/objects.ts'
import type { Operation } from './read.ts'

/** The members of a body that may refer, and what they refer to. */
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
  const inBody = Object.entries(references).flatMap(([field, kind]) => {
    const name = refOf(memberOf(body, field))
    return name === null ? [] : [{ pointer: `/body/${field}`, name, kind }]
  })
  return [...(own === null ? [] : [{ pointer: '/id', name: own, kind: resource }]), ...inBody]
}

/** The objects that the creations before have made, by ref. */
export type Made = ReadonlyMap<string, string>

/** The id that a target or a member of a body means; what was not made stays as it was sent. */
export function resolved(value: string, made: Made): string {
  const name = refOf(value)
  return name === null ? value : (made.get(name) ?? value)
}

/** A body with ids in place of references; the same body where there are none. */
export function resolvedBody<Body>(body: Body, made: Made): Body {
  if (typeof body !== 'object' || body === null) return body
  const found = referenceFields.flatMap((field) => {
    const value = memberOf(body, field)
    return refOf(value) === null ? [] : [[field, resolved(String(value), made)] as const]
  })
  return found.length === 0 ? body : { ...body, ...Object.fromEntries(found) }
}
