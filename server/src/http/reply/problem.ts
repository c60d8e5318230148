import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseBusy } from '../../database/driver/database-busy.ts'
import { sqlErrorOf } from '../../database/driver/sql-error.ts'
import { isDatabaseUnavailable } from '../../database/unavailable.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import { documentOf } from '../../problems/document.ts'
import { Problem, retryLater } from '../../problems/problem.ts'
import { errorCode } from '../../values/errors.ts'
import type { Constraints } from '../feature.ts'

export const problemType = 'application/problem+json'

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  const document = documentOf(problem, { instance: instanceOf(request.url), requestId: request.id })
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  if (problem.code === 'shutting_down') reply.header('connection', 'close')
  reply
    .code(problem.status)
    .headers(problemHeaders(problem, request.id))
    // Sent as text, so that the route's reply schema does not filter it.
    .send(JSON.stringify(document))
}

/** Also used for responses that bypass the framework. */
export const problemHeaders = (problem: Problem, requestId: string): Record<string, string> => ({
  'content-type': problemType,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
  ...problem.headers,
})

/**
 * A raw path may contain characters that are invalid in a URI: bare percent signs, spaces, raw
 * bytes.
 */
export const instanceOf = (url: string): string =>
  (url.split('?', 1)[0] ?? url)
    .toWellFormed()
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w\-.~:/@!$&'()*+,;=%]/gu, encodeURIComponent)

const frameworkCodes: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'body_too_large',
    'The body exceeds 1 MiB, or 2 KiB for endpoints without authentication.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_json',
    'The body length differs from Content-Length.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The body is not JSON.'],
  FST_ERR_BAD_URL: ['not_found', 'The path is invalid.'],
  FST_ERR_ASYNC_CONSTRAINT: ['not_found', 'Nothing exists at this address.'],
}

/**
 * A client that disconnects while sending its body causes an error that looks like a lost database.
 */
export function hangUpOf(error: unknown, { raw }: FastifyRequest): Problem | undefined {
  if (raw.complete || raw.errored !== error) return undefined
  return new Problem('malformed_json', 'The connection closed before the body was complete.')
}

/** Any thrown value as the problem shown to the caller. */
export function problemOf(error: unknown, constraints: Constraints): Problem {
  if (error instanceof Problem) return error
  const framework = frameworkCodes[errorCode(error) ?? '']
  if (framework) return new Problem(...framework)
  const { constraint } = sqlErrorOf(error)
  const violated = constraint === undefined ? undefined : constraints[constraint]
  if (violated) return violated()
  if (error instanceof DatabaseBusy) return retryLater('overloaded', error)
  if (isDatabaseUnavailable(error)) return retryLater('unavailable', error)
  return new Problem('internal_error', 'An unexpected error occurred. The log has details.', {
    cause: error,
  })
}
