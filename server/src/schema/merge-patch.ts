import type { TSchema } from 'typebox'
import type { Fault } from '../problems/fault.ts'
import { type Keywords, keywordsOf } from './keywords.ts'

type Fields = Readonly<Record<string, unknown>>

/** Not an `ExactNumber`, which is an amount. */
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** RFC 7396: members are merged, null removes one; anything but an object replaces. */
function mergePatch(target: unknown, patch: Fields): Fields {
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    const current = merged.get(name)
    // A read-only member that is null may be sent back.
    if (value === null && current !== null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(current, value) : value)
  }
  return Object.fromEntries(merged)
}

/** Set for a body of type `application/merge-patch+json`: finds the faults of merged fields. */
export type CheckMerged = (merged: Fields) => Fault[]

/**
 * The body for an object that is `current` now, with its objects merged into the object's if that is
 * what the client asked for; and the faults that only the result has, such as its size.
 */
export function patched<Body extends object>(
  { checkMerged }: { readonly checkMerged: CheckMerged | null },
  current: Fields,
  body: Body,
): { body: Body; faults: Fault[] } {
  if (!checkMerged) return { body, faults: [] }
  const merged = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      isObject(value) ? [[name, mergePatch(current[name], value)]] : [],
    ),
  )
  return { body: { ...body, ...merged }, faults: checkMerged(merged) }
}

/** The schema of a merge patch of such a body: members of its objects may be null. */
export function patchOf(body: TSchema): TSchema {
  const { properties = {}, basedOn, ...rest } = keywordsOf(body)
  if (basedOn) return basedOn
  const fields = Object.entries(properties)
  if (!fields.some(([, field]) => holdsMembers(field))) return body
  const patches = fields.map(([name, field]) => [name, memberPatch(field)])
  return titled({ ...rest, properties: Object.fromEntries(patches) })
}

const holdsMembers = (schema: TSchema) => [keywordsOf(schema).type].flat().includes('object')

/** Without the bounds and needs of the whole object, which hold for the merged one. */
function memberPatch(field: TSchema): Keywords {
  const keywords = keywordsOf(field)
  if (!holdsMembers(field)) return keywords
  const {
    maxProperties: _,
    maxBytes: __,
    required: ___,
    properties,
    additionalProperties: other,
    ...rest
  } = keywords
  const named = Object.entries(properties ?? {})
  return titled({
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(named.map(([name, each]) => [name, removable(each)])),
    }),
    ...(other !== undefined && {
      additionalProperties: typeof other === 'object' ? removable(other) : other,
    }),
  })
}

/** Amounts have no type, and take null. */
function removable(member: TSchema): TSchema {
  const { type, enum: choices, ...rest } = memberPatch(member)
  return {
    ...rest,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(choices && { enum: [...new Set([...choices, null])] }),
  }
}

const titled = ({ title, ...schema }: Keywords): Keywords => ({
  ...schema,
  ...(title !== undefined && { title: title.replace(/(Changes|Input)?$/, 'Patch') }),
})
