import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { BareContext, Context, Rehearsal } from '../../kernel/context.ts'
import { type Endpoint, methodsOf } from '../endpoint.ts'
import { addVary } from './vary.ts'

const parameter = {
  validate_only: Type.Boolean({
    default: false,
    description:
      'Only try it: all the same checks, answered 200 with the object as it would be (for a deletion, the one that would go) and `warnings`. Nothing is stored, told or recorded.',
  }),
}

/** Every write can be tried out, but for the few that say of themselves that they cannot. */
export const isRehearsable = (endpoint: Endpoint): boolean =>
  endpoint.action !== undefined && !endpoint.unrehearsed && !methodsOf(endpoint).includes('GET')

/** The parameters that an endpoint takes. */
export const queryOf = (endpoint: Endpoint): Readonly<Record<string, TSchema>> =>
  isRehearsable(endpoint) ? { ...endpoint.query, ...parameter } : (endpoint.query ?? {})

/** Before the query is read: refusals of what is only tried out are not recorded either. */
export const rehearsalOf = (endpoint: Endpoint, search: string): Rehearsal | null =>
  isRehearsable(endpoint) && new URLSearchParams(search).get('validate_only') === 'true'
    ? { object: undefined, warnings: [] }
    : null

export const isRehearsing = (ctx: Context | BareContext): ctx is Context =>
  'rehearsal' in ctx && ctx.rehearsal !== null

/** Of a deletion, which answers nothing, the object that would go. */
export function writeRehearsed(ctx: Context, result: unknown, reply: FastifyReply): unknown {
  const { object, warnings = [] } = ctx.rehearsal ?? {}
  addVary(reply, 'Authorization').header('cache-control', 'private, no-cache')
  return reply
    .code(200)
    .serializer((body: unknown) => JSON.stringify(body))
    .type('application/json; charset=utf-8')
    .send({ ...withoutSecrets((result ?? object ?? {}) as object), warnings })
}

/** A secret that was made for nothing must not be taken for one that holds. */
const withoutSecrets = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).map(([field, value]) => [field, shownOnce.has(field) ? null : value]),
  )

const shownOnce = new Set(['secret', 'temporary_password', 'key'])
