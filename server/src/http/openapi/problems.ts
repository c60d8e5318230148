import { type TProperties, Type } from 'typebox'
import { type ProblemCode, problemKinds } from '../../problems/codes.ts'
import { faultMembers, membersOf } from '../../problems/members.ts'
import { errorsText, faultFields, itemMembers, standardMembers } from '../../problems/schema.ts'
import { keywordsOf } from '../../schema/keywords.ts'
import { keysOf } from '../../values/objects.ts'
import { STATUS_CODES } from '../reason-phrases.ts'
import { problemType } from '../reply/problem.ts'
import { tokenCodes } from './problem-codes.ts'
import { type HeaderName, headersAmong, rateLimitNames } from './response-headers.ts'
import { type Components, type Json, publicSchema } from './schemas.ts'
import { type Part, pascal } from './sharing.ts'

const faultSchema = (components: Components): Json => ({
  description: 'One fault of a request; `pointer`, `parameter` or `header` locates it.',
  type: 'object',
  properties: { ...faultFields, ...publicFields(faultMembers, components).properties },
  required: ['code', 'message'],
})

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
const itemProblemSchema = (components: Components): Json => ({
  description: 'The problem of one of several operations or rows, with the members of its code.',
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    { type: 'object', properties: publicFields(itemMembers, components).properties },
  ],
})

/** `Problem`, and a schema of its own for each code with members of its own. */
export function problemSchemas(): Components {
  const components: Components = new Map([['Problem', problemSchema]])
  components.set('Fault', faultSchema(components))
  components.set('ItemProblem', itemProblemSchema(components))
  for (const code of keysOf(problemKinds)) {
    if (!hasMembers(code) || code === unmentioned) continue
    components.set(
      schemaNameOf(code),
      problemWith([code], publicFields(membersOf(code), components)),
    )
  }
  return components
}

/** Methods that the document has are allowed, so none of its responses has this code. */
const unmentioned: ProblemCode = 'method_not_allowed'

const hasMembers = (code: ProblemCode) => Object.keys(membersOf(code)).length > 0

const schemaNameOf = (code: ProblemCode) => `${pascal(code)}Problem`

/** A problem with one of these codes, which have the same members. */
function problemWith(codes: readonly ProblemCode[], members = noFields): Json {
  const { properties, required } = members
  const fields = { code: { type: 'string', enum: [...codes] }, ...properties }
  const refined = { type: 'object', properties: fields, ...(required.length > 0 && { required }) }
  return { allOf: [{ $ref: '#/components/schemas/Problem' }, refined] }
}

type Fields = { properties: Json; required: readonly string[] }

const noFields: Fields = { properties: {}, required: [] }

function publicFields(fields: TProperties, components: Components): Fields {
  const schema = keywordsOf(publicSchema(Type.Object(fields), components))
  return { ...noFields, ...schema }
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
  Forbidden: ['second_factor_required', 'insufficient_role', 'organization_suspended'],
  InvalidBody: ['validation_failed', 'idempotency_key_reused'],
  InvalidChange: ['validation_failed', 'idempotency_key_reused', 'guardrail_violation'],
  WrongState: ['invalid_state_transition', 'idempotency_in_progress'],
  NotLaunched: [
    'invalid_state_transition',
    'idempotency_in_progress',
    'launch_blocked',
    'approval_required',
  ],
  Unauthorized: tokenCodes,
  Refused: ['uri_too_long', 'headers_too_large', ...failures],
  WriteRefused: [
    'body_too_large',
    'uri_too_long',
    'unsupported_media_type',
    'headers_too_large',
    ...failures,
  ],
}

const nameOf = (codes: readonly ProblemCode[]): string =>
  Object.keys(names).find((name) => String(names[name]) === String(codes)) ??
  codes.map(pascal).join('Or')

/** Statuses that no operation decides, nor a client distinguishes: sizes, types and failures. */
const common: ReadonlySet<number> = new Set([413, 414, 415, 431, 500, 501, 503])

/** The responses with these codes, by status; a caller who is logged in gets 403 for a lacking factor. */
export function problemResponses(
  codes: readonly ProblemCode[],
  isLoggedIn: boolean,
): [string, Part][] {
  const inOrder = keysOf(problemKinds).filter((code) => codes.includes(code))
  const byStatus = Map.groupBy(inOrder, (code) => {
    const status = statusFor(code, isLoggedIn)
    return common.has(status) ? 'default' : String(status)
  })
  return [...byStatus]
    .map(([status, codes]): [string, Part] => [status, partOf(codes, isLoggedIn)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

const statusFor = (code: ProblemCode, isLoggedIn: boolean): number =>
  code === 'second_factor_required' && isLoggedIn ? 403 : problemKinds[code].status

const partOf = (codes: readonly ProblemCode[], isLoggedIn: boolean): Part => ({
  names: [nameOf(codes)],
  json: problemResponse(codes, isLoggedIn),
})

function problemResponse(codes: readonly ProblemCode[], isLoggedIn: boolean): Json {
  const statuses = codes.map((code) => statusFor(code, isLoggedIn))
  const mayRetry = codes.some((code) => problemKinds[code].retry === 'transient')
  const offered: [HeaderName, boolean][] = [
    ['X-Request-Id', statuses.includes(500)],
    ['Accept-Patch', statuses.includes(415)],
    ['WWW-Authenticate', statuses.includes(401)],
    ['Retry-After', mayRetry],
    ...rateLimitNames.map((name): [HeaderName, boolean] => [name, codes.includes('rate_limited')]),
  ]
  return {
    description: summaryOf(codes, isLoggedIn),
    ...headersAmong(offered),
    content: { [problemType]: { schema: anyProblemOf(codes) } },
  }
}

/** A status, or several with their codes: those of one are in its schema. */
function summaryOf(codes: readonly ProblemCode[], isLoggedIn: boolean): string {
  const byStatus = Map.groupBy(codes, (code) => statusFor(code, isLoggedIn))
  if (byStatus.size === 1) return [...byStatus.keys()].map(statusTextOf).join()
  return [...byStatus]
    .map(([status, own]) => {
      const named = own.map((code) => `\`${code}\``).join(', ')
      return `${status} ${statusTextOf(status)}: ${named}.`
    })
    .join('\n\n')
}

const statusTextOf = (status: number): string => STATUS_CODES[status] ?? String(status)

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
