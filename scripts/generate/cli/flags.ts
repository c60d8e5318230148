/** Flags of commands, from parameters and the fields of bodies. */
import { type Json, list, object } from '../sdk/json.ts'

export type Flag = {
  /** The API's name of it. */
  name: string
  in: 'query' | 'body'
  type: 'text' | 'number' | 'flag' | 'json'
  /** May be given several times. */
  many?: true
  values?: string[]
  required?: true
  about: string
}

type Field = { schema: Json; required: boolean }

type Given = { name: string; in: 'query' | 'body'; schema: Json; required: boolean; about: string }

/** The fields of a body that may be sent; of several forms, those of all. */
export function fieldsOf(body: Json, schemas: Json): Record<string, Field> {
  const { properties, required, anyOf, allOf } = resolved(body, schemas)
  const forms = [...list(anyOf), ...list(allOf)].map(object)
  const found: Record<string, Field> = {}
  for (const form of forms) {
    for (const [name, field] of Object.entries(fieldsOf(form, schemas))) {
      found[name] ??= { ...field, required: field.required && list(anyOf).length === 0 }
    }
  }
  for (const [name, schema] of Object.entries(object(properties))) {
    if (resolved(object(schema), schemas).readOnly === true) continue
    found[name] = { schema: object(schema), required: list(required).includes(name) }
  }
  return found
}

/** The schema that a reference is to, with the reference's own description. */
function resolved(schema: Json, schemas: Json): Json {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return schema
  return {
    ...resolved(object(schemas[$ref.replace('#/components/schemas/', '')]), schemas),
    ...own,
  }
}

/** A flag, and its word without dashes: a list's is of one value, `label` for `labels`. */
export function flagOf(given: Given, schemas: Json): { word: string; flag: Flag } {
  const { name, in: place, required } = given
  const forms = formsOf(given.schema, schemas)
  const several = forms.find(({ type }) => type === 'array')
  const one = several ? resolved(object(several.items), schemas) : undefined
  const isMany = one !== undefined && formsOf(one, schemas).every(({ type }) => type !== 'object')
  const shown = isMany && one ? formsOf(one, schemas) : forms
  const values = shown.flatMap((each) => list(each.enum)).filter((each) => each !== null)
  const about = given.about || String(resolved(given.schema, schemas).description ?? aboutOf(forms))
  const flag: Flag = {
    ...{ name, in: place, type: isMany ? 'text' : typeOf(forms) },
    ...(isMany && { many: true }),
    ...(values.length > 0 && { values: values.map(String) }),
    ...(required && { required: true }),
    about: about === 'undefined' ? '' : about,
  }
  return { word: isMany && place === 'body' ? name.replace(/s$/, '') : name, flag }
}

const aboutOf = (forms: readonly Json[]) =>
  forms.map(({ description }) => description).find((text) => typeof text === 'string')

/** The forms of a value, but for null. */
function formsOf(schema: Json, schemas: Json): Json[] {
  const known = resolved(schema, schemas)
  const choices = [...list(known.anyOf), ...list(known.oneOf), ...list(known.allOf)].map(object)
  if (choices.length > 0) return choices.flatMap((each) => formsOf(each, schemas))
  const types = (Array.isArray(known.type) ? known.type : [known.type]).filter((t) => t !== 'null')
  return types.map((type) => ({ ...known, type }))
}

function typeOf(forms: readonly Json[]): Flag['type'] {
  const types = new Set(forms.map(({ type }) => type))
  if (types.has('object') || types.has('array')) return 'json'
  if (types.has('number') || types.has('integer')) return 'number'
  return types.has('boolean') ? 'flag' : 'text'
}
