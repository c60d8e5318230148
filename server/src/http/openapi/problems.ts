import { STATUS_CODES } from 'node:http'
import { type TProperties, Type } from 'typebox'
import { type ProblemCode, problemKinds } from '../../problems/codes.ts'
import { faultMembers, membersOf } from '../../problems/members.ts'
import { errorsText, faultFields, itemMembers, standardMembers } from '../../problems/schema.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import { keysOf } from '../../values/objects.ts'
import { problemType } from '../reply/problem.ts'
import { tokenCodes } from './problem-codes.ts'
import { type HeaderName, headersAmong, rateLimitNames } from './response-headers.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'
import { type Part, pascal } from './sharing.ts'

const faultSchema: Json = {
  description: 'One fault of a request; `pointer`, `parameter` or `header` locates it.',
  type: 'object',
  properties: { ...faultFields, ...publicFields(faultMembers).properties },
  required: ['code', 'message'],
}

const allMembers = {
  ...standardMembers,
  errors: {
    type: 'array',
    items: { $ref: '#/components/schemas/Fault' },
    description: errorsText,
  },
}

const problemSchema: Json = {
  description: 'RFC 9457. Codes are stable, texts are not. Some codes have additional members.',
  type: 'object',
  properties: allMembers,
  required: Object.keys(allMembers),
}

/** All members are optional: which of them there are depends on the code. */
const itemProblemSchema: Json = {
  description: 'The problem of one of several operations or rows, with the members of its code.',
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    { type: 'object', properties: publicFields(itemMembers).properties },
  ],
}

/** `Problem`, and a schema of its own for each code with members of its own. */
export const problemSchemas = (): Components =>
  new Map([
    ['Problem', problemSchema],
    ['Fault', faultSchema],
    ['ItemProblem', itemProblemSchema],
    ...keysOf(problemKinds)
      .filter((code) => hasMembers(code) && code !== unmentioned)
      .map((code): [string, Json] => [schemaNameOf(code), schemaOfCode(code)]),
  ])

/** Methods that the document has are allowed, so none of its responses has this code. */
const unmentioned: ProblemCode = 'method_not_allowed'

const hasMembers = (code: ProblemCode) => Object.keys(membersOf(code)).length > 0

const schemaNameOf = (code: ProblemCode) => `${pascal(code)}Problem`

const schemaOfCode = (code: ProblemCode): Json => problemWith([code], membersOf(code))

/** A problem with one of these codes, which have the same members. */
function problemWith(codes: readonly ProblemCode[], members: TProperties = {}): Json {
  const { properties, required } = publicFields(members)
  const fields = { code: { type: 'string', enum: [...codes] }, ...properties }
  const refined = { type: 'object', properties: fields, ...(required.length > 0 && { required }) }
  return { allOf: [{ $ref: '#/components/schemas/Problem' }, refined] }
}

function publicFields(fields: TProperties) {
  const { properties = {}, required = [] } = keywordsOf(
    publicSchema(Type.Object(fields), new Map()),
  )
  return { properties, required }
}

const failures = [
  'internal_error',
  'not_implemented',
  'unavailable',
  'overloaded',
  'shutting_down',
] as const

/** Names of the most frequent responses; the others are named after their codes. */
const names: Readonly<Record<string, readonly ProblemCode[]>> = {
  BadRequest: ['unknown_parameter', 'invalid_header'],
  BadQuery: ['invalid_parameter', 'unknown_parameter', 'invalid_header'],
  BadListQuery: ['invalid_parameter', 'unknown_parameter', 'invalid_cursor', 'invalid_header'],
  BadBody: ['malformed_json', 'unknown_parameter', 'invalid_header'],
  BadWrite: ['malformed_json', 'invalid_parameter', 'unknown_parameter', 'invalid_header'],
  Forbidden: ['insufficient_role', 'organization_suspended'],
  InvalidBody: ['validation_failed', 'idempotency_key_reused'],
  InvalidChange: ['validation_failed', 'idempotency_key_reused', 'guardrail_violation'],
  WrongState: ['invalid_state_transition', 'idempotency_in_progress'],
  NotLaunched: [
    'invalid_state_transition',
    'idempotency_in_progress',
    'launch_blocked',
    'approval_required',
  ],
  Refused: [...tokenCodes, 'uri_too_long', 'headers_too_large', 'rate_limited', ...failures],
  WriteRefused: [
    ...tokenCodes,
    'body_too_large',
    'uri_too_long',
    'unsupported_media_type',
    'headers_too_large',
    'rate_limited',
    ...failures,
  ],
}

const nameOf = (codes: readonly ProblemCode[]): string =>
  Object.keys(names).find((name) => String(names[name]) === String(codes)) ??
  codes.map(pascal).join('Or')

/**
 * Statuses that no operation decides: credential, size and rate of a request, and failures of the
 * service.
 */
const common: ReadonlySet<number> = new Set([401, 413, 414, 415, 429, 431, 500, 501, 503])

/** The responses with these codes, by status. */
export function problemResponses(codes: readonly ProblemCode[]): [string, Part][] {
  const inOrder = keysOf(problemKinds).filter((code) => codes.includes(code))
  const byStatus = Map.groupBy(inOrder, (code) => {
    const { status } = problemKinds[code]
    return common.has(status) ? 'default' : String(status)
  })
  return [...byStatus]
    .map(([status, codes]): [string, Part] => [status, partOf(codes)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

const partOf = (codes: readonly ProblemCode[]): Part => ({
  names: [nameOf(codes)],
  json: problemResponse(codes),
})

function problemResponse(codes: readonly ProblemCode[]): Json {
  const statuses = codes.map((code) => problemKinds[code].status)
  const mayRetry = codes.some((code) => problemKinds[code].retry === 'transient')
  const offered: [HeaderName, boolean][] = [
    ['X-Request-Id', statuses.includes(500)],
    ['Accept-Patch', statuses.includes(415)],
    ['WWW-Authenticate', statuses.includes(401)],
    ['Retry-After', mayRetry],
    ...rateLimitNames.map((name): [HeaderName, boolean] => [name, codes.includes('rate_limited')]),
  ]
  return {
    description: summaryOf(codes),
    ...headersAmong(offered),
    content: { [problemType]: { schema: anyProblemOf(codes) } },
  }
}

/** The page of each code says what it means. */
function summaryOf(codes: readonly ProblemCode[]): string {
  const byStatus = Map.groupBy(codes, (code) => problemKinds[code].status)
  return [...byStatus]
    .map(([status, own]) => {
      const named = own.map((code) => `\`${code}\``).join(', ')
      return `${byStatus.size > 1 ? `${status} ` : ''}${STATUS_CODES[status]}: ${named}.`
    })
    .join('\n\n')
}

/** Codes with members of their own have a schema of their own. */
function anyProblemOf(codes: readonly ProblemCode[]): Json {
  const plain = codes.filter((code) => !hasMembers(code))
  const own = codes
    .filter(hasMembers)
    .map((code) => ({ $ref: `#/components/schemas/${schemaNameOf(code)}` }))
  const all: Json[] = [...(plain.length > 0 ? [problemWith(plain)] : []), ...own]
  const [only, ...others] = all
  return only && others.length === 0 ? only : { anyOf: all }
}
