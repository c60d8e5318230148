import { type TSchema, Type } from 'typebox'
import type { Fault } from '../problems/fault.ts'
import { nearestName, shortName } from '../values/nearest-name.ts'
import { readValues, valuesOf } from './filters.ts'
import type { Query } from './list.ts'
import { badParameters, ruledBy } from './parameters.ts'

const maxFields = 100
const several = { maxValues: maxFields }

/** The parameter `fields`, for objects with these fields. */
export function fieldsParameter(known: readonly string[], item: TSchema): TSchema {
  const always = known.includes('id') ? '; `id` always is' : ''
  const description = `Top-level fields to return${always}. Default: all.`
  return ruledBy(Type.Array(item, { description }), {
    repeats: true,
    check(name, received) {
      const read = readValues(several, name, received)
      if ('fault' in read) return badParameters([read.fault])
      const stranger = read.values.find((value) => !known.includes(value))
      return stranger === undefined
        ? undefined
        : badParameters([unknownField(name, { given: stranger, known })])
    },
  })
}

/** For parameters that take the name of a field. */
export const fieldName = (known: readonly string[], title: string | undefined) =>
  Type.String({ enum: [...known], ...(title && { title }) })

type Unknown = { given: string; known: readonly string[] }

function unknownField(parameter: string, { given, known }: Unknown): Fault {
  const nearest = nearestName(given, known)
  const message = `has an unknown name${nearest ? `; did you mean "${nearest}"?` : ''}`
  return {
    parameter,
    code: 'invalid_enum_value',
    message,
    allowed: [...known],
    given: shortName(given),
  }
}

/** The fields that the reply shows; null for all. */
export const fieldsIn = ({ fields }: Query): ReadonlySet<string> | null =>
  fields === undefined ? null : new Set([...valuesOf(several, fields), 'id'])

/** Whether the reply shows the field: what it does not show need not be computed. */
export const shows = (query: Query, field: string): boolean =>
  query.fields === undefined || names(query, field)

/** Whether `fields` names it: some fields are shown only then. */
export const names = ({ fields }: Query, field: string): boolean =>
  fields !== undefined && valuesOf(several, fields).includes(field)
