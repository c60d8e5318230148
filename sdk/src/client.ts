import { Call } from './call.ts'
import type { components } from './openapi.ts'
import { operationsIn } from './operation.ts'
import { operations } from './operations.ts'
import { methodOf, requestOf } from './perform.ts'
import type { Resources } from './resources.ts'
import { checkedBaseUrl } from './transport/base-url.ts'
import { type Credentials, credentialOf } from './transport/credential.ts'
import type { WriteOptions } from './transport/options.ts'
import { defaultTimeoutMs, type TransportOptions, transportOf } from './transport/transport.ts'
import type { Query } from './transport/wire.ts'

export { bulkAll } from './bulk.ts'
export type { Call, DryRun, Page, PageCall, Warning, WithResponse, WriteCall } from './call.ts'
export { FlightdeckError, isProblem, type ProblemCode } from './error.ts'
export type { FlightdeckEvent } from './event.ts'
export type { Other, operations } from './openapi.ts'
export type { Body, Item, Query, Result } from './operation-types.ts'
export { other } from './other.ts'
export { type ResultRow, type RowOutcome, reportAll } from './report.ts'
export type { Resources } from './resources.ts'
export { FlightdeckConnectionError, FlightdeckTimeout } from './transport/connection.ts'
export type { CallOptions, Target, WriteOptions } from './transport/options.ts'
export type { EventStream, StreamOptions } from './transport/stream.ts'

/** Shapes of the API by name: `Schema<'Campaign'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

type RequestInput = WriteOptions & {
  query?: Query
  body?: unknown
  /** A file of CSV in place of a body. */
  csv?: string
  /** Answers the `Response` itself, for files such as exports. */
  raw?: boolean
}

export type Flightdeck = Resources & {
  /** Any request of the API, for paths that have no method here. */
  request<Data = unknown>(method: string, path: string, input?: RequestInput): Call<Data>
}

export type FlightdeckOptions = TransportOptions & Credentials

/**
 * A client of one Flightdeck, as one user. A refusal is thrown as a `FlightdeckError`, the lack of an
 * answer as a `FlightdeckConnectionError`. Throws a `TypeError` for a base URL that cannot be one.
 */
export function createFlightdeck(options: FlightdeckOptions): Flightdeck {
  const baseUrl = checkedBaseUrl(options.baseUrl)
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const { timeoutMs = defaultTimeoutMs } = options
  const credential = credentialOf(options, { send, baseUrl, timeoutMs })
  const wire = { baseUrl, transport: transportOf(options, credential) }
  const resources = Object.entries(operations).map(([resource, lines]) => [
    resource,
    Object.fromEntries(operationsIn(lines).map((each) => [each.name, methodOf(wire, each)])),
  ])
  const request: Flightdeck['request'] = (
    method,
    path,
    { query = {}, body, csv, raw, ...options } = {},
  ) =>
    new Call(
      requestOf(wire, {
        ...{ method, path, query, options },
        ...(csv === undefined ? { body } : { body: csv, input: 'csv' }),
        ...(raw && { answer: 'raw' }),
      }),
    )
  // The table and the interface are generated from the same document.
  return { ...Object.fromEntries(resources), request } as Flightdeck
}
