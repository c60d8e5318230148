import fastJson from 'fast-json-stringify'
import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { lazy } from '../../concurrency/lazy.ts'
import { fieldName, fieldsIn, fieldsParameter } from '../../query/fields.ts'
import type { Query } from '../../query/list.ts'
import { itemsOf, keywordsOf } from '../../schema/keywords.ts'
import { type Endpoint, methodsOf } from '../endpoint.ts'

type Properties = Readonly<Record<string, TSchema>>

type Shape = {
  /** The object, or each object of a list. */
  object: { title?: string; properties: Properties }
  /** What a list has beside its objects. */
  envelope: Properties | null
}

/** What `fields` selects from: the objects of a list, or an object with an id. */
function shapeOf({ reply, streams, ...endpoint }: Endpoint): Shape | undefined {
  if (!methodsOf(endpoint).includes('GET') || streams) return undefined
  const { title, properties } = keywordsOf(reply ?? {})
  const { data: _, ...envelope } = properties ?? {}
  const item = keywordsOf(itemsOf(reply ?? {}) ?? {})
  if (item.properties) return { object: { ...item, properties: item.properties }, envelope }
  if (!properties?.id) return undefined
  return { object: { ...(title && { title }), properties }, envelope: null }
}

/** The parameter `fields` of every GET of a list or an object. */
export function fieldsParameterOf(endpoint: Endpoint): { fields?: TSchema } {
  const shape = shapeOf(endpoint)
  if (!shape) return {}
  const { title, properties } = shape.object
  const known = Object.keys(properties)
  return { fields: fieldsParameter(known, fieldName(known, title && `${title}Field`)) }
}

type Write = (value: object) => string

const writers = new WeakMap<Endpoint, (query: Query) => Write>()

/** Lets the reply have only the fields that the query asks for, each by its schema as always. */
export function selectFields(reply: FastifyReply, endpoint: Endpoint, query: Query): void {
  if (query.fields === undefined) return
  reply.type('application/json; charset=utf-8').serializer(writerOf(endpoint, query))
}

function writerOf(endpoint: Endpoint, query: Query): Write {
  const known = writers.get(endpoint) ?? newWriter(endpoint)
  writers.set(endpoint, known)
  return known(query)
}

function newWriter(endpoint: Endpoint): (query: Query) => Write {
  const shape = shapeOf(endpoint)
  if (!shape) throw new Error(`${endpoint.path} has no fields to select`)
  const { object, envelope } = shape
  // One function a field: selections are many, fields are few.
  const parts = Object.entries(object.properties).map(([name, schema]) => ({
    name,
    write: lazy(() => membersWriter({ [name]: schema })),
  }))
  const writeRest = lazy(() => membersWriter(envelope ?? {}))
  return (query) => {
    const fields = fieldsIn(query)
    const chosen = parts.filter(({ name }) => fields?.has(name) ?? true)
    const writeObject = (value: object) => `{${joined(chosen.map(({ write }) => write()(value)))}}`
    if (!envelope) return writeObject
    return (reply) => {
      const { data = [] }: { data?: readonly object[] } = reply
      return `{${joined([`"data":[${data.map(writeObject)}]`, writeRest()(reply)])}}`
    }
  }
}

/** Writes these properties of an object, without the braces. */
function membersWriter(properties: Properties): Write {
  const write = fastJson({ type: 'object', properties })
  return (value) => write(value).slice(1, -1)
}

/** An absent member is written as nothing. */
const joined = (members: readonly string[]): string => members.filter(Boolean).join(',')
