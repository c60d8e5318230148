import { Call, type Page, PageCall, type Start, WriteCall } from './call.ts'
import type { Operation } from './operation.ts'
import { texts } from './operations.ts'
import type { Target, WriteOptions } from './transport/options.ts'
import { type StreamOptions, streamOf } from './transport/stream.ts'
import type { Outgoing } from './transport/transport.ts'
import { type Query, searchOf, type Wire } from './transport/wire.ts'

/** The parts of a request, once the arguments of a method are read. */
type Given = {
  path: string
  version: number | undefined
  query: Query
  body: unknown
  options: WriteOptions
}

type Requested = { method: string; answer?: 'raw'; input?: 'csv' } & Omit<Given, 'version'>

/** A request that is no method of a resource. */
export const requestOf = <Data>(
  wire: Wire,
  { method, answer, input, ...given }: Requested,
): Start<Data> =>
  starting(
    wire,
    { name: 'request', method, path: given.path, versioned: true, answer, input },
    { ...given, version: undefined },
  )

/** The method of a resource. */
export function methodOf(wire: Wire, operation: Operation): (...given: unknown[]) => unknown {
  if (operation.answer === 'stream') {
    return (options) => streamOf(wire, operation.path, (options ?? {}) as StreamOptions)
  }
  return (...given) => {
    const read = readArguments(operation, given)
    const start = starting(wire, operation, read)
    if (operation.answer === 'list') return listOf(wire, operation, read)
    return operation.method === 'GET' ? new Call(start) : new WriteCall(start)
  }
}

function listOf(wire: Wire, operation: Operation, given: Given): PageCall<unknown> {
  const start = starting<Page<unknown>>(wire, operation, given)
  const next = async (cursor: string) => {
    const query = { ...given.query, cursor }
    const { data } = await starting<Page<unknown>>(wire, operation, { ...given, query })(false)
    return data
  }
  return new PageCall(start, next)
}

/** A list alone is titled by its length. */
const bodyOf = (value: unknown, list: string | undefined): unknown =>
  list !== undefined && Array.isArray(value)
    ? { title: `${value.length} ${list}`, [list]: value }
    : value

/** Ids in the order of the path, the input if there is one, the options. */
function readArguments({ path, input, list }: Operation, given: unknown[]): Given {
  const rest = [...given]
  let version: number | undefined
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    const target = rest.shift() as Target | null | undefined
    const { id, version: known } = typeof target === 'object' && target ? target : { id: target }
    // Empty or dots, it would be another path, such as the list.
    if (!id || id === '.' || id === '..') throw new TypeError(`${path} needs an id`)
    version = known
    return encodeURIComponent(id)
  })
  const value = input ? rest.shift() : undefined
  // A file comes with its parameters.
  const query = input === 'csv' ? rest.shift() : input === 'query' ? value : {}
  const options = (rest.shift() ?? {}) as WriteOptions
  return {
    path: filled,
    version,
    query: (query ?? {}) as Query,
    body: input === 'body' ? bodyOf(value, list) : input === 'csv' ? value : undefined,
    options,
  }
}

const starting =
  <Data>({ baseUrl, transport }: Wire, operation: Operation, given: Given): Start<Data> =>
  async (isDryRun) => {
    const query = isDryRun ? { ...given.query, validate_only: true } : given.query
    // A file in place of JSON is left to the caller.
    const isStreamed = operation.answer === 'raw' || given.query.format === 'csv'
    const outgoing: Outgoing = {
      method: operation.method,
      url: `${baseUrl}${given.path}${searchOf(query, isFilterOf(operation))}`,
      headers: headersOf(operation, given),
      body: textOf(operation, given),
      options: given.options,
      isStreamed,
    }
    const { response, body } = await transport(outgoing)
    // The service answers with the shape that its document declares; its tests enforce it.
    const data = (isStreamed ? response : body) as Data
    const { status, headers } = response
    return { data, status, headers, requestId: headers.get('x-request-id') ?? '' }
  }

/** In a request without a method, only a list is one. */
const isFilterOf = ({ input }: Operation) =>
  input === undefined ? undefined : (_: unknown, name: string) => !texts.includes(name)

const textOf = ({ input }: Operation, { body }: Given): string | undefined =>
  body === undefined || input === 'csv' ? (body as string | undefined) : JSON.stringify(body)

function headersOf(
  operation: Operation,
  { version, body, options }: Given,
): Record<string, string> {
  const { ifMatch = version, idempotencyKey, reason, overrideReason } = options
  const json = operation.mergePatch ? 'application/merge-patch+json' : 'application/json'
  const type = operation.input === 'csv' ? 'text/csv' : json
  const named = {
    'content-type': body === undefined ? undefined : type,
    'if-match': operation.versioned && ifMatch != null ? `"${ifMatch}"` : undefined,
    'idempotency-key': idempotencyKey,
    'x-audit-reason': reason,
    'x-override-reason': overrideReason,
  }
  const sent = Object.entries(named).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const further = Object.entries(options.headers ?? {})
  return Object.fromEntries(
    [...sent, ...further].map(([name, value]) => [name.toLowerCase(), value]),
  )
}
