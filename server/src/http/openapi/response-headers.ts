import { exampleId } from '../../values/ids.ts'
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
    exampleId('request'),
  ),
  ETag: text('The object’s version, for `If-Match` and `If-None-Match`.', '"3"'),
  Location: text('The URL of the new object.', `/api/v1/campaigns/${exampleId('campaign')}`),
  Link: text('The next page, if any.', '</api/v1/campaigns?cursor=…>; rel="next"'),
  'Idempotency-Replayed': text(
    '`true` if this is the stored response to an earlier request.',
    'true',
  ),
  'Retry-After': count('Seconds until the same request can succeed.', 12),
  'WWW-Authenticate': text('The scheme of the credential.', 'Bearer'),
  RateLimit: text('Requests left in the window and seconds until it ends.', '"plan";r=57;t=12'),
  'RateLimit-Policy': text('Requests per window and its length in seconds.', '"plan";q=100;w=60'),
  'X-RateLimit-Limit': count('Requests per window.', 100),
  'X-RateLimit-Remaining': count('Requests left in the window.', 57),
  'X-RateLimit-Reset': count('Seconds until the window ends.', 12),
} as const

export type HeaderName = keyof typeof responseHeaders

export const headersFor = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
