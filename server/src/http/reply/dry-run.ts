import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { BareContext, Context, DryRun } from '../../kernel/context.ts'
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
export const supportsDryRun = (endpoint: Endpoint): boolean =>
  endpoint.action !== undefined && !endpoint.noDryRun && !methodsOf(endpoint).includes('GET')

/** The parameters that an endpoint takes. */
export const queryOf = (endpoint: Endpoint): Readonly<Record<string, TSchema>> =>
  supportsDryRun(endpoint) ? { ...endpoint.query, ...parameter } : (endpoint.query ?? {})

/** Before the query is read: refusals of what is only tried out are not recorded either. */
export const dryRunOf = (endpoint: Endpoint, search: string): DryRun | null =>
  supportsDryRun(endpoint) && new URLSearchParams(search).get('validate_only') === 'true'
    ? { object: undefined, warnings: [] }
    : null

export const isDryRun = (ctx: Context | BareContext): ctx is Context =>
  'dryRun' in ctx && ctx.dryRun !== null

/** Of a deletion, which answers nothing, the object that would go. */
export function sendDryRun(ctx: Context, result: unknown, reply: FastifyReply): unknown {
  const { object, warnings = [] } = ctx.dryRun ?? {}
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
