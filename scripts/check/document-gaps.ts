type Json = Record<string, unknown>

/** Editors and generators read all of it, so what recurs is a component: the average stays below. */
const maxBytesPerOperation = 3_800

/**
 * Lists the gaps of an OpenAPI document for readers and for generators of clients, one line each.
 */
export function gapsIn(document: Json): string[] {
  const { paths = {}, webhooks = {}, components = {} } = document
  const visit = visitorOf(document)
  return [...sizeGaps(document), ...visit({ paths, webhooks, components }, '')]
}

function sizeGaps(document: Json): string[] {
  const operations = Object.values(document.paths ?? {}).flatMap(Object.keys)
  const most = maxBytesPerOperation * Math.max(1, operations.length)
  const size = JSON.stringify(document).length
  return size > most
    ? [`has ${size} bytes: at most ${most}, ${maxBytesPerOperation} an operation`]
    : []
}

const dataKeywords = new Set(['example', 'examples', 'default', 'enum'])

type Visit = (part: unknown, place: string, isDescribed?: (field: string) => boolean) => string[]

function visitorOf(document: Json): Visit {
  const resolved = (part: Json): Json =>
    typeof part.$ref === 'string' ? resolved(targetOf(part.$ref, document)) : part

  const isDescribed = (field: Json): boolean => {
    const { description, anyOf, allOf } = { ...resolved(field), ...field }
    return typeof description === 'string' || [...listOf(anyOf), ...listOf(allOf)].some(isDescribed)
  }

  /** Fields that a part of the combination describes. */
  const describedIn = (schema: Json): string[] => {
    const { properties = {}, allOf } = resolved(schema)
    const own = Object.entries(properties as Record<string, Json>)
    return [
      ...own.filter(([, field]) => isDescribed(field)).map(([name]) => name),
      ...listOf(allOf).flatMap(describedIn),
    ]
  }

  const visit: Visit = (part, place, isKnown = () => false) => {
    if (typeof part !== 'object' || part === null) return []
    if (Array.isArray(part)) return part.flatMap((each, at) => visit(each, `${place}/${at}`))
    const node = part as Json
    const known = new Set(listOf(node.allOf).flatMap(describedIn))
    const inner = (name: string) => known.has(name) || isKnown(name)
    // Below these, names are the document's own.
    const isNamed = /\/(?:properties|responses)$/.test(place)
    const isData = (key: string) => !isNamed && dataKeywords.has(key)
    return [
      ...fieldGaps(node, place, (name, field) => isDescribed(field) || isKnown(name)),
      ...parameterGaps(node, place),
      ...typeGaps(node, place),
      ...Object.entries(node).flatMap(([key, value]) => {
        if (isData(key)) return exampleGaps(value, `${place}/${key}`)
        if (key !== 'allOf') return visit(value, `${place}/${key}`)
        return listOf(value).flatMap((each, at) => visit(each, `${place}/allOf/${at}`, inner))
      }),
    ]
  }
  return visit
}

function fieldGaps(
  { properties }: Json,
  place: string,
  isDescribed: (name: string, field: Json) => boolean,
): string[] {
  if (place.endsWith('/properties') || typeof properties !== 'object') return []
  return Object.entries(properties as Record<string, Json>)
    .filter(([name, field]) => !isDescribed(name, field))
    .map(([name]) => `${place}/properties/${name} has no description`)
}

const parameterGaps = ({ in: location, description }: Json, place: string): string[] =>
  location !== undefined && typeof description !== 'string' && !place.endsWith('/properties')
    ? [`${place} has no description`]
    : []

/** Generators apply the bounds of one type to all types of a schema. */
function typeGaps({ type }: Json, place: string): string[] {
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : []
  return types.length > 1 ? [`${place} has several types: use anyOf`] : []
}

/** Tools follow references in examples too. */
const exampleGaps = (value: unknown, place: string): string[] =>
  JSON.stringify(value).includes('"$ref"') ? [`${place} has a reference`] : []

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [])

const targetOf = (ref: string, document: Json): Json =>
  ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((part, key) => (part as Json)[key], document) as Json
