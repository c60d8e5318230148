import type { TSchema } from 'typebox'
import { fieldName, fieldsIn, fieldsParameter } from '../../query/fields.ts'
import type { Query } from '../../query/list.ts'
import { itemsOf, type Keywords, keywordsOf } from '../../schema/keywords.ts'
import { type Endpoint, methodsOf } from '../endpoint.ts'

/** The object that `fields` selects from: an item of a list, or an object with an id. */
function selectableOf({ reply = {}, streams, ...endpoint }: Endpoint): Keywords | undefined {
  if (!methodsOf(endpoint).includes('GET') || streams) return undefined
  const item = keywordsOf(itemsOf(reply) ?? {})
  if (item.properties) return item
  const object = keywordsOf(reply)
  return object.properties?.id ? object : undefined
}

/** The parameter `fields` of every GET of a list or an object. */
export function fieldsParameterOf(endpoint: Endpoint): { fields?: TSchema } {
  const { title, properties } = selectableOf(endpoint) ?? {}
  if (!properties) return {}
  const known = Object.keys(properties)
  return { fields: fieldsParameter(known, fieldName(known, title && `${title}Field`)) }
}

/** The reply with only the fields that the query asks for. */
export function selectFields(endpoint: Endpoint, query: Query, reply: object): object {
  const fields = fieldsIn(query)
  if (!fields) return reply
  if (!itemsOf(endpoint.reply ?? {})) return membersAmong(fields, reply)
  const { data = [] }: { data?: readonly object[] } = reply
  return { ...reply, data: data.map((object) => membersAmong(fields, object)) }
}

/** Without the members that only headers carry. */
export const withoutHidden = ({ reply = {} }: Endpoint, result: object): object =>
  membersAmong(new Set(Object.keys(keywordsOf(reply).properties ?? {})), result)

const membersAmong = (names: ReadonlySet<string>, object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)))
