import { requestIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { acceptPatch } from '../request/body.ts'
import type { Json } from './schemas.ts'

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string', examples: [example] },
})

const count = (description: string, example: number): Json => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
})

/** Response headers, each described once. */
export const responseHeaders = {
  'X-Request-Id': text(
    'Id of this request; also in problems, events, audit records and the log.',
    exampleId(requestIds),
  ),
  ETag: text(
    'The object’s version, for `If-Match` and `If-None-Match`; a dry run has none.',
    '"3"',
  ),
  Location: text('The URL of the new object.', '/api/v1/campaigns/cmp_01m7yez275fk1a52pr5qevn8kn'),
  Deprecation: text('Since when another endpoint should be used (RFC 9745).', '@1795305600'),
  Link: text(
    'The next page, if any; of a deprecated endpoint, its successor.',
    '</api/v1/campaigns?cursor=…>; rel="next"',
  ),
  'Preference-Applied': text('The preference of `Prefer` that was honored.', 'return=minimal'),
  'Retry-After': count('Seconds until the same request can succeed.', 12),
  'Accept-Patch': text('On PATCH: the types of bodies.', acceptPatch['accept-patch']),
  'WWW-Authenticate': text('The scheme of the credential.', 'Bearer'),
  RateLimit: text('Requests left in the window and seconds until it ends.', '"plan";r=57;t=12'),
  'RateLimit-Policy': text('Requests per window and its length in seconds.', '"plan";q=100;w=60'),
  'X-RateLimit-Limit': count('Requests per window.', 100),
  'X-RateLimit-Remaining': count('Requests left in the window.', 57),
  'X-RateLimit-Reset': count('Seconds until the window ends.', 12),
} as const

export type HeaderName = keyof typeof responseHeaders

/** The headers that apply. */
export function headersAmong(offered: readonly [HeaderName, boolean][]): { headers?: Json } {
  const names = offered.filter(([, applies]) => applies).map(([name]) => name)
  return names.length > 0 ? { headers: headersFor(names) } : {}
}

export const headersFor = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** In every response to an authenticated request, but documented with its 429 only. */
export const rateLimitNames = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[]
