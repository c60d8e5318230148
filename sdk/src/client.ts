import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import type { components, paths } from './openapi.ts'
import { type ItemOf, type ListPath, type ListQuery, pagesOf } from './paginate.ts'
import { type TransportOptions, transportOf } from './transport.ts'

export { FlightdeckError, type ProblemCode } from './error.ts'
export type { components, operations, paths } from './openapi.ts'
export type { WebhookEvent } from './webhook-event.ts'
export { type WebhookHeaders, WebhookVerificationError, webhooks } from './webhooks.ts'

/** Shapes of the API by name: `Schema<'Campaign'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'
type PathOf<M extends Method> = ClientPathsWithMethod<Client<paths>, M>
type InitOf<Path extends keyof paths, M extends Method> = MaybeOptionalInit<paths[Path], M>
type ArgumentsOf<Init> = undefined extends Init ? [init?: Init] : [init: Init]

type DataOf<Operation> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, object, `${string}/${string}`>['data']>
    : never

/** The body of the answer; nothing for a 204. */
type Answer<Path extends keyof paths, M extends Method> = [DataOf<paths[Path][M]>] extends [never]
  ? undefined
  : DataOf<paths[Path][M]>

type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...init: ArgumentsOf<InitOf<Path, M>>
) => Promise<Answer<Path, M>>

export type Flightdeck = {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly patch: Call<'patch'>
  readonly delete: Call<'delete'>
  /** Every item of a list, across all pages. */
  paginate<Path extends ListPath>(path: Path, query?: ListQuery<Path>): AsyncGenerator<ItemOf<Path>>
  /** The underlying client, for access to the response as well: it throws the same errors. */
  readonly http: Client<paths>
}

export type FlightdeckOptions = TransportOptions

/** A client of one Flightdeck, as one user. Every refusal is thrown as a `FlightdeckError`. */
export function createFlightdeck(options: FlightdeckOptions): Flightdeck {
  const http = createClient<paths>({ baseUrl: options.baseUrl, fetch: transportOf(options) })
  const get: Call<'get'> = unwrapped(http.GET)
  return {
    get,
    post: unwrapped(http.POST),
    put: unwrapped(http.PUT),
    patch: unwrapped(http.PATCH),
    delete: unwrapped(http.DELETE),
    paginate: (path, query) => pagesOf(get, path, query),
    http,
  }
}

/**
 * Only the data. Safe because the transport throws every answer without data; the generic call
 * hides this from the compiler, although the types of both sides derive from the same `paths`.
 */
function unwrapped<M extends Method>(call: unknown): Call<M> {
  const request = call as (path: string, init?: unknown) => Promise<{ data?: unknown }>
  return (async (path: string, init?: unknown) => (await request(path, init)).data) as Call<M>
}
