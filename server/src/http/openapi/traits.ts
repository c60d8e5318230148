import { keywordsOf } from '../../schema/keywords.ts'
import { type Endpoint, type Method, statusOf } from '../endpoint.ts'

/** Properties derived from an endpoint's shape, used by the pipeline, the kernel and OpenAPI. */

const replyFields = ({ reply }: Endpoint) => keywordsOf(reply ?? {}).properties ?? {}

export const hasId = ({ path }: Endpoint): boolean => path.includes('/:')

export const takesBody = (method: Method): boolean => method !== 'GET' && method !== 'DELETE'

/** Returns one versioned object, and so an `ETag`. */
export const showsVersion = (endpoint: Endpoint): boolean => 'version' in replyFields(endpoint)

export const isPage = (endpoint: Endpoint): boolean => 'meta' in replyFields(endpoint)

/** Accepts `Idempotency-Key`. */
export const isReplayable = (endpoint: Endpoint, method: Method): boolean =>
  method !== 'GET' && endpoint.permission !== null

/** Changes an existing object, so it honors `If-Match`. */
export function isVersioned(endpoint: Endpoint, method: Method): boolean {
  if (method === 'GET' || !endpoint.action || endpoint.action.startsWith('auth.')) return false
  if (endpoint.isVersioned) return true
  if (method === 'DELETE') return hasId(endpoint) && !endpoint.deletes
  return showsVersion(endpoint) && statusOf(endpoint) === 200
}

/** Acts on an object without changing it: honors `If-Match` but never requires it. */
export const mayNameVersion = (endpoint: Endpoint, method: Method): boolean =>
  method === 'POST' && statusOf(endpoint) === 202 && hasId(endpoint)

/** Writes and live replies are refused while the organization is suspended. */
export const isBarredWhenSuspended = ({ action, live }: Endpoint): boolean =>
  live === true || (action !== undefined && !action.startsWith('auth.'))
