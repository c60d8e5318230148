import { STATUS_CODES } from 'node:http'
import { roles, rolesWith } from '../../identity/permissions.ts'
import { type ProblemCode, problemKinds } from '../../problems/codes.ts'
import { type Endpoint, type Method, statusOf } from '../endpoint.ts'
import { queryOf, supportsDryRun } from '../reply/dry-run.ts'
import { problemType } from '../reply/problem.ts'
import { type HeaderName, headersFor } from './response-headers.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'
import {
  hasId,
  isBarredWhenSuspended,
  isPage,
  isReplayable,
  isVersioned,
  mayNameVersion,
  showsVersion,
} from './traits.ts'

const tokenCodes = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'session_expired',
] as const
/** Every request body is parsed and validated, even if the endpoint takes none. */
const bodyCodes = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const
const unavailableCodes = ['unavailable', 'overloaded', 'shutting_down'] as const

/** Identical responses of many operations, by component name. */
const sharedCodes: Readonly<Record<string, readonly ProblemCode[]>> = {
  BadRequest: ['unknown_parameter', 'invalid_header'],
  BadListRequest: ['unknown_parameter', 'invalid_header', 'invalid_parameter', 'invalid_cursor'],
  BadWriteRequest: ['unknown_parameter', 'invalid_header', 'malformed_json'],
  Unauthorized: tokenCodes,
  Forbidden: ['insufficient_role', 'organization_suspended'],
  RoleForbidden: ['insufficient_role'],
  NotFound: ['not_found'],
  VersionMismatch: ['version_mismatch'],
  BodyTooLarge: ['body_too_large'],
  UriTooLong: ['uri_too_long'],
  UnsupportedMediaType: ['unsupported_media_type'],
  PreconditionRequired: ['precondition_required'],
  ValidationFailed: ['validation_failed'],
  ValidationFailedOrKeyReused: ['validation_failed', 'idempotency_key_reused'],
  RateLimited: ['rate_limited'],
  HeadersTooLarge: ['headers_too_large'],
  InternalError: ['internal_error'],
  NotImplemented: ['not_implemented'],
  Unavailable: unavailableCodes,
}

export const sharedResponses = (): Json =>
  Object.fromEntries(
    Object.entries(sharedCodes).map(([name, codes]) => [name, problemResponse(codes)]),
  )

/** Every response an operation can return, by status. */
export function responsesOf(endpoint: Endpoint, method: Method, components: Components): Json {
  const byStatus = Map.groupBy(
    problemCodesOf(endpoint, method),
    (code) => problemKinds[code].status,
  )
  const problems = [...byStatus].map(
    ([status, codes]) => [status, problemOrReference(codes)] as const,
  )
  return Object.fromEntries([
    [statusOf(endpoint), successOf(endpoint, method, components)],
    ...(supportsDryRun(endpoint) && statusOf(endpoint) !== 200
      ? [[200, dryRunReplyOf(endpoint, components)]]
      : []),
    ...(method === 'GET' && showsVersion(endpoint) ? [[304, notModified]] : []),
    ...problems.sort(([one], [other]) => one - other),
  ])
}

const notModified = {
  description: 'Unchanged since the version in `If-None-Match`.',
  headers: headersFor(['X-Request-Id', 'ETag']),
}

function successOf(endpoint: Endpoint, method: Method, components: Components): Json {
  const status = statusOf(endpoint)
  const offered: [HeaderName, boolean][] = [
    ['X-Request-Id', true],
    ['ETag', showsVersion(endpoint)],
    ['Location', status === 201],
    ['Link', isPage(endpoint)],
    ['Idempotency-Replayed', isReplayable(endpoint, method)],
    ...rateLimitNames.map((name): [HeaderName, boolean] => [name, endpoint.permission !== null]),
  ]
  const names = offered.filter(([, applies]) => applies).map(([name]) => name)
  return {
    description: STATUS_CODES[status] ?? '',
    headers: headersFor(names),
    ...contentOf(endpoint, components),
  }
}

/** A DELETE dry run returns the object; its schema is not declared. */
const dryRunReplyOf = (endpoint: Endpoint, components: Components): Json => ({
  description: `${endpoint.statusFor ? 'Every operation succeeded; or a' : 'A'} dry run (\`validate_only=true\`): the resulting object and \`warnings\`.`,
  headers: headersFor(['X-Request-Id', ...rateLimitNames]),
  content: {
    'application/json': {
      schema: endpoint.reply ? publicSchema(endpoint.reply, components) : { type: 'object' },
    },
  },
})

const rateLimitNames = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const

function contentOf({ reply, streams = [] }: Endpoint, components: Components): Json {
  const content = [
    ...streams.map((type) => [type, { schema: { type: 'string' } }]),
    ...(reply ? [['application/json', { schema: publicSchema(reply, components) }]] : []),
  ]
  return content.length > 0 ? { content: Object.fromEntries(content) } : {}
}

/** The codes implied by the endpoint's shape, and those it declares. */
function problemCodesOf(endpoint: Endpoint, method: Method): ProblemCode[] {
  const { permission, problems = [] } = endpoint
  const query = queryOf(endpoint)
  const sometimes: [boolean, readonly ProblemCode[]][] = [
    [Object.keys(query).length > 0, ['invalid_parameter']],
    ['cursor' in query, ['invalid_cursor']],
    [permission !== null, [...tokenCodes, 'rate_limited']],
    [permission !== null && rolesWith(permission).length < roles.length, ['insufficient_role']],
    [endpoint.needsSession ?? false, ['session_required']],
    [isBarredWhenSuspended(endpoint), ['organization_suspended']],
    [hasId(endpoint), ['not_found']],
    [method !== 'GET', bodyCodes],
    [isReplayable(endpoint, method), ['idempotency_in_progress', 'idempotency_key_reused']],
    [isVersioned(endpoint, method), ['version_mismatch', 'precondition_required']],
    [mayNameVersion(endpoint, method), ['version_mismatch']],
  ]
  const always = [
    'unknown_parameter',
    'invalid_header',
    'uri_too_long',
    'headers_too_large',
  ] as const
  const implied = sometimes.filter(([applies]) => applies).flatMap(([, codes]) => codes)
  const all = [
    ...always,
    ...implied,
    'internal_error',
    'not_implemented',
    ...unavailableCodes,
    ...problems,
  ] as const
  return [...new Set(all)]
}

function problemOrReference(codes: readonly ProblemCode[]): Json {
  const shared = Object.entries(sharedCodes).find(([, known]) => isSame(known, codes))
  return shared ? { $ref: `#/components/responses/${shared[0]}` } : problemResponse(codes)
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((code) => other.includes(code))

function problemResponse(codes: readonly ProblemCode[]): Json {
  const [first] = codes
  const status = first ? problemKinds[first].status : 500
  const mayRetry = status === 429 || status === 503 || codes.includes('idempotency_in_progress')
  const offered: [HeaderName, boolean][] = [
    ['X-Request-Id', true],
    ['WWW-Authenticate', status === 401],
    ['Retry-After', mayRetry],
    ...rateLimitNames.map((name): [HeaderName, boolean] => [name, codes.includes('rate_limited')]),
  ]
  return {
    description: codes.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join('\n\n'),
    headers: headersFor(offered.filter(([, applies]) => applies).map(([name]) => name)),
    content: { [problemType]: { schema: problemSchema(codes, status) } },
  }
}

const problemSchema = (codes: readonly ProblemCode[], status: number): Json => ({
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    {
      type: 'object',
      properties: {
        code: { type: 'string', enum: [...codes] },
        status: { type: 'integer', const: status },
      },
      required: ['code', 'status'],
    },
  ],
})
