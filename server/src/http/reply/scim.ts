import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemCode } from '../../problems/codes.ts'
import type { Problem } from '../../problems/problem.ts'
import { ScimProblem } from '../../problems/scim-problem.ts'
import { memberOf } from '../../values/objects.ts'
import { pathOf } from '../request/path.ts'

/** SCIM 2.0 (RFC 7644) on the wire: directories speak it, outside the API's own document. */

export const scimPrefix = '/scim/v2'
const scimType = 'application/scim+json; charset=utf-8'

export const isScimPath = (request: FastifyRequest): boolean => {
  const path = pathOf(request)
  return path === scimPrefix || path.startsWith(`${scimPrefix}/`)
}

/** A resource with its address, or a list. */
export function asScim(reply: FastifyReply, result: unknown): FastifyReply {
  const location = memberOf(memberOf(result, 'meta'), 'location')
  if (reply.statusCode === 201 && typeof location === 'string') reply.header('location', location)
  // As text: the framework would write its own type.
  return reply.header('content-type', scimType).send(JSON.stringify(result))
}

/** Detail of a problem by RFC 7644, 3.12; those of SCIM itself name their own. */
const types: Partial<Record<ProblemCode, string>> = {
  email_taken: 'uniqueness',
  duplicate_name: 'uniqueness',
  external_id_taken: 'uniqueness',
  malformed_json: 'invalidSyntax',
  validation_failed: 'invalidValue',
  invalid_parameter: 'invalidValue',
  unknown_parameter: 'invalidValue',
}

/** An error in the words of SCIM, which knows no 422. */
export function sendScimError(reply: FastifyReply, problem: Problem): void {
  const status = problem.status === 422 ? 400 : problem.status
  const named = problem instanceof ScimProblem ? problem.scimType : types[problem.code]
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (problem.code === 'shutting_down') reply.header('connection', 'close')
  reply
    .code(status)
    .headers({ ...problem.headers, 'content-type': scimType, 'cache-control': 'no-store' })
    .send(
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        ...(named !== undefined && { scimType: named }),
        detail: detailOf(problem),
      }),
    )
}

/** The faults of a body, which SCIM has no place for, in one text. */
const detailOf = ({ message, faults }: Problem): string =>
  faults.length === 0
    ? message
    : faults
        .slice(0, 10)
        .map(({ pointer, parameter, message }) => `${pointer ?? parameter ?? ''} ${message}`.trim())
        .join('; ')
