import { type Endpoint, type Method, statusOf } from '../endpoint.ts'

/** What follows from an endpoint's shape, as the wire layer and the kernel act on it. */

type Fields = Readonly<Record<string, unknown>>

const replyFields = ({ reply }: Endpoint): Fields =>
  (reply as { properties?: Fields } | undefined)?.properties ?? {}

export const hasId = ({ path }: Endpoint): boolean => path.includes('/:')

export const takesBody = (method: Method): boolean => method !== 'GET' && method !== 'DELETE'

/** Replies with one object that has versions, and so an `ETag`. */
export const showsVersion = (endpoint: Endpoint): boolean => 'version' in replyFields(endpoint)

export const isPage = (endpoint: Endpoint): boolean => 'meta' in replyFields(endpoint)

/** Takes `Idempotency-Key`. */
export const isReplayable = (endpoint: Endpoint, method: Method): boolean =>
  method === 'POST' && endpoint.permission !== null

/** Changes an object that is there already, and so heeds `If-Match`. */
export function isVersioned(endpoint: Endpoint, method: Method): boolean {
  if (method === 'GET' || !endpoint.action || endpoint.action.startsWith('auth.')) return false
  if (endpoint.isVersioned) return true
  if (method === 'DELETE') return hasId(endpoint)
  return showsVersion(endpoint) && statusOf(endpoint) === 200
}

/** Acts on an object and leaves it as it is: heeds `If-Match`, and never asks for it. */
export const mayNameVersion = (endpoint: Endpoint, method: Method): boolean =>
  method === 'POST' && statusOf(endpoint) === 202 && hasId(endpoint)

/** Writes and live replies, which a suspended organization may not have. */
export const isBarredWhenSuspended = ({ action, live }: Endpoint): boolean =>
  live === true || (action !== undefined && !action.startsWith('auth.'))
