/** The fields of the SDK's types, as editors show them. */

import { isDeepStrictEqual } from 'node:util'
import { type Json, list, object } from './json.ts'

/**
 * The fields that the forms of an object have in common become a schema of their own: editors show the
 * text of a field in a literal only where it is declared once.
 */
export function withSharedFields(schemas: Json): Json {
  const hoisted = Object.entries(schemas).flatMap(([name, schema]) => {
    const names = list(object(schema).anyOf).map((form) => nameIn(object(form)))
    const forms = names.map((each) => object(schemas[each]))
    const [first] = forms
    if (!first || forms.some(({ properties }) => properties === undefined)) return []
    const all = forms.map(({ properties }) => object(properties))
    const shared = Object.keys(object(first.properties)).filter((field) =>
      all.every((each) => isDeepStrictEqual(each[field], all[0]?.[field])),
    )
    const free = shared.filter(
      (field) => !forms.some((form) => list(form.required).includes(field)),
    )
    return free.length === 0 ? [] : hoist({ name: `${name}Fields`, names, free }, schemas)
  })
  return { ...schemas, ...Object.fromEntries(hoisted) }
}

type Hoisting = { name: string; names: readonly string[]; free: readonly string[] }

function hoist({ name, names, free }: Hoisting, schemas: Json): [string, Json][] {
  const pick = (properties: unknown, isFree: boolean) =>
    Object.fromEntries(
      Object.entries(object(properties)).filter(([field]) => free.includes(field) === isFree),
    )
  const forms = names.map((each): [string, Json] => {
    const { description, properties, ...rest } = object(schemas[each])
    const own = { ...rest, properties: pick(properties, false) }
    return [each, { description, allOf: [{ $ref: `#/components/schemas/${name}` }, own] }]
  })
  const { properties } = object(schemas[names[0] ?? ''])
  return [[name, { type: 'object', properties: pick(properties, true) }], ...forms]
}

const nameIn = ({ $ref }: Json) => String($ref).replace('#/components/schemas/', '')

/** With the description of what a field refers to, where it has none: editors show the field's. */
export function described(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => described(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, description, anyOf } = object(value)
  const [first] = list(anyOf)
  const name = nameIn({ $ref: $ref ?? object(first).$ref })
  const target = object(schemas[name]).description
  const more = description === undefined && target !== undefined ? { description: target } : {}
  const inner = Object.entries(value).map(([key, each]) => [
    key,
    key === 'properties' ? describedFields(object(each), schemas) : each,
  ])
  return { ...Object.fromEntries(inner), ...more }
}

const describedFields = (fields: Json, schemas: Json): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, described(each, schemas)]))
