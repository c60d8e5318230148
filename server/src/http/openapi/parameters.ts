import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { severalOf } from '../../query/filters.ts'
import { eventIds } from '../../values/core-ids.ts'
import type { Endpoint, Method } from '../endpoint.ts'
import { queryOf } from '../request/parameters.ts'
import type { PathId, Route } from '../request/path-ids.ts'
import { type Components, component, type Json, publicSchema } from './schemas.ts'
import { type Part, pascal } from './sharing.ts'
import { isReplayable, isVersioned, mayNameVersion, showsVersion } from './traits.ts'

/** Request headers shared by endpoints. */
const headerParameters = {
  IfMatch: header('If-Match', {
    description:
      'The expected version: an `ETag` from a response. A different version is 412. An organization may require it on every change (428); approving always requires it.',
    schema: { type: 'string', examples: ['"3"'] },
  }),
  IfNoneMatch: header('If-None-Match', {
    description: 'An `ETag` from a response; returns 304 while it is current.',
    schema: { type: 'string', examples: ['"3"'] },
  }),
  IdempotencyKey: header('Idempotency-Key', {
    description:
      'A unique text per request. A repeated request with the same key is executed once; for 24 hours repeats return the first response, with `Idempotency-Replayed: true`, even if its `If-Match` is outdated.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$', examples: ['order-4711'] },
  }),
  LastEventId: header('Last-Event-ID', {
    description: 'The last received `id`: the stream resumes after it. Omitted: only new events.',
    schema: { type: 'string', pattern: eventIds.pattern },
  }),
  Prefer: header('Prefer', {
    description: '`return=minimal`: the response has no objects.',
    schema: { type: 'string', examples: ['return=minimal'] },
  }),
  AuditReason: header('X-Audit-Reason', {
    description: 'The reason for the change, recorded in the audit log.',
    schema: { type: 'string', maxLength: 500 },
  }),
  OverrideReason: header('X-Override-Reason', {
    description:
      'Overrides the guardrails for this request and gives the reason, which is recorded in the audit log. Honored for owners and admins only, otherwise ignored.',
    schema: { type: 'string', maxLength: 500 },
  }),
} as const

function header(name: string, { description, schema }: { description: string; schema: Json }) {
  return { name, in: 'header', description, schema }
}

type HeaderParameter = keyof typeof headerParameters

/** Path, query and header parameters of an operation. */
export const parametersOf = (endpoint: Route, method: Method, components: Components): Part[] => [
  ...pathParameters(endpoint.ids),
  ...queryParameters(endpoint, components),
  ...headersOf(endpoint, method).map((name) => ({ names: [name], json: headerParameters[name] })),
]

function headersOf(endpoint: Endpoint, method: Method): HeaderParameter[] {
  const offered: [HeaderParameter, boolean][] = [
    ['IfMatch', isVersioned(endpoint, method) || mayNameVersion(endpoint, method)],
    ['IfNoneMatch', method === 'GET' && showsVersion(endpoint)],
    ['IdempotencyKey', isReplayable(endpoint, method)],
    ['LastEventId', endpoint.live ?? false],
    ['Prefer', endpoint.minimal !== undefined],
    ['AuditReason', endpoint.action !== undefined],
    ['OverrideReason', isGuarded(endpoint)],
  ]
  return offered.filter(([, applies]) => applies).map(([name]) => name)
}

const isGuarded = ({ problems = [] }: Endpoint): boolean =>
  problems.includes('guardrail_violation') || problems.includes('bulk_failed')

/** Filters by names of any kind have one schema. */
const isSeveralTexts = (schema: Json): boolean => isDeepStrictEqual(schema, severalTexts)

const { description: _, ...severalTexts }: Json = { ...severalOf(Type.String(), {}).schema }

function queryParameters(endpoint: Route, components: Components): Part[] {
  return Object.entries(queryOf(endpoint)).map(([name, source]) => {
    const { description, ...own } = publicSchema(source, components)
    const schema = isSeveralTexts(own) ? component('SeveralTexts', own, components) : own
    // Comma-separated.
    const list = schema.type === 'array' ? { explode: false } : {}
    const about = description ? { description } : {}
    return {
      names: [pascal(name), pascal(endpoint.operation) + pascal(name)],
      json: { name, in: 'query', ...about, ...list, schema },
    }
  })
}

/** `/campaigns/:id` → `/campaigns/{id}` */
export const templateOf = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')

const underscored = (noun: string) => noun.replaceAll(' ', '_')

const pathParameters = (ids: readonly PathId[]): Part[] =>
  ids.map(({ name, type: { noun, pattern, example } }) => {
    const what = example === undefined ? 'id' : 'name'
    const description = `${pascal(what)} of the ${noun}.`
    return {
      // A filter may have the first name.
      names: [pascal(`${underscored(noun)}_${what}`), pascal(`path_${underscored(noun)}_${what}`)],
      json: { name, in: 'path', required: true, description, schema: { type: 'string', pattern } },
    }
  })
